// Runs every test of the program it is linked to.
#include <exception>

#include "test.hpp"

int main() {
    using namespace tailgate::tests;
    for (const Test& test : all_tests()) {
        progress().running = test.name;
        try {
            test.run();
        } catch (const std::exception& error) {
            ++progress().failures;
            std::fprintf(stderr, "%s: threw: %s\n", test.name, error.what());
        }
    }
    std::fprintf(stderr, "%zu tests, %d failures\n", all_tests().size(), progress().failures);
    return all_tests().empty() || progress().failures > 0 ? 1 : 0;
}
