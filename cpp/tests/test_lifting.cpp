#include "brute_force.hpp"
#include "packing/lifting.hpp"
#include "problems.hpp"
#include "test.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

TEST(an_item_with_no_partner_takes_the_whole_side) {
    // Nothing fits beside a width of 6 on a floor of 10 but the 4, which fills it.
    const Problem lifted = lift_items({10, 10, {{{6, 5}}, {{7, 5}}}});
    CHECK(lifted.stops[0][0] == (Rectangle{10, 5}));
    CHECK(lifted.stops[1][0] == (Rectangle{10, 5}));
}

TEST(an_item_that_can_be_complemented_stays) {
    const Problem problem{10, 10, {{{6, 5}, {4, 5}}, {{10, 5}}}};
    const Problem lifted = lift_items(problem);
    CHECK(lifted.stops == problem.stops);
}

TEST(gaps_that_nobody_can_fill_are_taken) {
    // Two widths of 3 on a floor of 8: one of them at least may grow, and together they fit.
    const Problem lifted = lift_items({8, 1, {{{3, 1}, {3, 1}}}});
    const auto& items = lifted.stops[0];
    CHECK(items[0].width + items[1].width == 8);
}

TEST(items_never_shrink_and_verdicts_never_change) {
    TinyProblems problems(1);
    for (int i = 0; i < 400; ++i) {
        const Problem problem = problems.next();
        const Problem lifted = lift_items(problem);
        CHECK(lifted.width == problem.width);
        CHECK(lifted.length == problem.length);
        for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
            for (std::size_t item = 0; item < problem.stops[stop].size(); ++item) {
                CHECK(lifted.stops[stop][item].width >= problem.stops[stop][item].width);
                CHECK(lifted.stops[stop][item].length >= problem.stops[stop][item].length);
                CHECK(lifted.stops[stop][item].width <= problem.width);
                CHECK(lifted.stops[stop][item].length <= problem.length);
            }
        }
        CHECK(can_load(lifted) == can_load(problem));
    }
}

TEST(shapes_never_shrink_and_verdicts_never_change) {
    TinyProblems problems(11);
    for (int i = 0; i < 400; ++i) {
        const Problem problem = problems.next_with_turning();
        const Problem lifted = lift_items(problem);
        for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
            for (std::size_t item = 0; item < problem.stops[stop].size(); ++item) {
                for (const bool turned : {false, true}) {
                    const Rectangle before = problem.placed(stop, item, turned);
                    const Rectangle after = lifted.placed(stop, item, turned);
                    CHECK(after.width >= before.width);
                    CHECK(after.length >= before.length);
                    CHECK(problem.fits_floor(before) == lifted.fits_floor(after));
                }
            }
        }
        CHECK(can_load(lifted) == can_load(problem));
    }
}

TEST(nothing_to_lift_is_no_trouble) {
    CHECK(lift_items({5, 5, {}}).stops.empty());
    CHECK(lift_items({5, 5, {{}, {}}}).stops.size() == 2);
    CHECK(lift_items({5, 5, {{{5, 5}}}}).stops[0][0] == (Rectangle{5, 5}));
}

}  // namespace
