"""The planner's page: a local web server around the search, with jobs that outlive it."""
