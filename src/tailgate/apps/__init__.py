"""What people start: the command line and the planner's page."""
