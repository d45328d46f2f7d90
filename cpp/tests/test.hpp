// The smallest test frame that does. TEST(a_sentence) { ... } defines a test, and main.cpp runs it:
// a test that is written is run. CHECK names the test and the line that failed, and goes on.
#pragma once

#include <cstdio>
#include <vector>

namespace tailgate::tests {

struct Test {
    const char* name = nullptr;
    void (*run)() = nullptr;
};

// In the order in which the file defines them.
inline std::vector<Test>& all_tests() {
    static std::vector<Test> tests;
    return tests;
}

struct Registration {
    Registration(const char* name, void (*run)()) { all_tests().push_back({name, run}); }
};

struct Progress {
    const char* running = "";  // the name of the test
    int failures = 0;
};

inline Progress& progress() {
    static Progress progress;
    return progress;
}

inline void check(bool holds, const char* condition, const char* file, int line) {
    if (holds) return;
    ++progress().failures;
    std::fprintf(stderr, "%s:%d: %s: does not hold: %s\n", file, line, progress().running,
                 condition);
}

}  // namespace tailgate::tests

#define TEST(name)                                                                \
    void name();                                                                  \
    const ::tailgate::tests::Registration registration_of_##name(#name, &(name)); \
    void name()

#define CHECK(condition) \
    ::tailgate::tests::check(static_cast<bool>(condition), #condition, __FILE__, __LINE__)
