// Ctrl-C during long calls into the core.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>

namespace tailgate::bindings {

// Ctrl-C arrives as a Python signal: look for it now and then without holding the interpreter.
class SignalWatch {
  public:
    bool operator()() {
        const Clock::time_point now = Clock::now();
        if (interrupted_ || now - last_look_ < between_looks) return interrupted_;
        last_look_ = now;
        const nanobind::gil_scoped_acquire gil;
        interrupted_ = PyErr_CheckSignals() != 0;
        return interrupted_;
    }
    [[nodiscard]] bool interrupted() const { return interrupted_; }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds between_looks{50};
    Clock::time_point last_look_ = Clock::now();
    bool interrupted_ = false;
};

}  // namespace tailgate::bindings
