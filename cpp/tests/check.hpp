// The smallest test frame that does: CHECK says where it failed and goes on; main returns
// failures().
#pragma once

#include <cstdio>

namespace tailgate::tests {

inline int& failure_count() {
    static int count = 0;
    return count;
}

inline void check(bool holds, const char* condition, const char* file, int line) {
    if (holds) return;
    ++failure_count();
    std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
}

// The exit code of a test program.
inline int failures() {
    if (failure_count() > 0) std::fprintf(stderr, "%d checks failed\n", failure_count());
    return failure_count() > 0 ? 1 : 0;
}

}  // namespace tailgate::tests

#define CHECK(condition) \
    ::tailgate::tests::check(static_cast<bool>(condition), #condition, __FILE__, __LINE__)
