// One loading question: bounds, dives in both directions, exact search.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "problem.hpp"

namespace tailgate::packing {

enum class Stage : std::uint8_t {
    trivial,
    cache,
    heredity,
    bounds,
    dive,
    beam,
    core,
    search,
    limit
};
inline constexpr std::size_t stage_count = 9;
[[nodiscard]] std::string_view stage_name(Stage stage);

struct Effort {
    std::int64_t max_nodes = -1;                      // negative: no limit
    double max_seconds = -1.0;                        // negative: no limit
    std::size_t memo_bytes = std::size_t{256} << 20;  // for failed states, of all searches together
    std::function<bool()> interrupted;  // asked now and then; true gives up with `unknown`
};

struct Decision {
    Verdict verdict = Verdict::unknown;
    Stage stage = Stage::limit;
    std::int64_t nodes = 0;
    Layout layout;  // in the order of Problem::stops; empty unless feasible
};

// A question that can be put down at a limit and taken up again where it was.
class Question {
  public:
    explicit Question(Problem problem);
    ~Question();
    Question(Question&&) noexcept;
    Question& operator=(Question&&) noexcept;

    // Goes on within the limits; nodes are those of this call. `memo_bytes` counts at the first.
    [[nodiscard]] Decision run(const Effort& effort);
    // What it keeps to go on with, about.
    [[nodiscard]] std::size_t bytes() const;

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

// From scratch, and done with.
[[nodiscard]] Decision decide(const Problem& problem, const Effort& effort);

}  // namespace tailgate::packing
