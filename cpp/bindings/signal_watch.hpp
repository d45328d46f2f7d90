// Ctrl-C, and events set by other threads, during long calls into the core.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <functional>

namespace tailgate::bindings {

// A threading.Event, or none, that ends whatever this thread asks of the core. A plain pointer: no
// destructor may run when a thread ends, for it would not hold the interpreter.
inline thread_local PyObject* cancel_event = nullptr;
inline thread_local std::chrono::duration<double> between_looks{};

inline void set_cancel_event(nanobind::object event, double seconds_between_looks) {
    PyObject* before = cancel_event;
    cancel_event = event.is_none() ? nullptr : event.release().ptr();
    between_looks = std::chrono::duration<double>(seconds_between_looks);
    Py_XDECREF(before);
}

// Both need the interpreter: look now and then without holding it all the time.
class SignalWatch {
  public:
    bool operator()() {
        const Clock::time_point now = Clock::now();
        if (stopped_ || now - last_look_ < pause_) return stopped_;
        last_look_ = now;
        const nanobind::gil_scoped_acquire gil;
        interrupted_ = PyErr_CheckSignals() != 0;
        stopped_ = interrupted_ || is_cancelled();
        return stopped_;
    }
    // By a signal, whose exception is set; otherwise the time is just over.
    [[nodiscard]] bool interrupted() const { return interrupted_; }

  private:
    static bool is_cancelled() {
        return cancel_event != nullptr &&
               nanobind::cast<bool>(nanobind::handle(cancel_event).attr("is_set")());
    }

    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::duration<double> usual_pause{0.05};
    const std::chrono::duration<double> pause_ =
        cancel_event == nullptr ? usual_pause : between_looks;
    Clock::time_point last_look_ = Clock::now();
    bool interrupted_ = false;
    bool stopped_ = false;
};

// Runs `work(must_stop)` without holding the interpreter. Raises the exception of a signal after
// it.
template <typename Work>
void run_watched(const Work& work) {
    SignalWatch watch;
    const std::function<bool()> must_stop = [&watch] { return watch(); };
    {
        const nanobind::gil_scoped_release release;
        work(must_stop);
    }
    if (watch.interrupted()) throw nanobind::python_error();
}

}  // namespace tailgate::bindings
