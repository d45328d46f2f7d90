#include "brute_force.hpp"
#include "packing/greedy.hpp"
#include "packing/rescale.hpp"
#include "problems.hpp"
#include "test.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

TEST(plans_are_valid_and_often_found) {
    TinyProblems problems(21);
    int loadable = 0;
    int found = 0;
    for (int i = 0; i < 1'000; ++i) {
        const Problem problem = problems.next();
        const auto layout = greedy_layout(problem);
        const bool can = can_load(problem);
        loadable += can;
        found += layout.has_value();
        if (layout) CHECK(can && is_valid_layout(problem, *layout));
    }
    CHECK(10 * found > 8 * loadable);
    CHECK(found <= loadable);
}

TEST(full_floors_and_large_numbers_do_no_harm) {
    TinyProblems dice(22);
    for (int i = 0; i < 300; ++i) {
        Problem problem = sawn_floor(dice, dice.draw(10, 24), dice.draw(10, 40), dice.draw(2, 16));
        for (auto& stop : problem.stops) {
            for (Rectangle& item : stop) item = {item.width * 40'000'000, item.length * 20'000'000};
        }
        problem.width *= 40'000'000;
        problem.length *= 20'000'000;
        if (const auto layout = greedy_layout(problem)) CHECK(is_valid_layout(problem, *layout));
    }
}

TEST(nothing_to_load_is_loaded) {
    const auto layout = greedy_layout({10, 10, {{}, {}}});
    CHECK(layout && layout->size() == 2);
}

TEST(a_route_and_its_reverse_fare_alike) {
    TinyProblems problems(23);
    for (int i = 0; i < 300; ++i) {
        Problem problem = problems.next();
        const bool found = greedy_layout(problem).has_value();
        std::reverse(problem.stops.begin(), problem.stops.end());
        CHECK(greedy_layout(problem).has_value() == found);
    }
}

}  // namespace
