#include "open_questions.hpp"

#include <utility>

namespace tailgate::packing {

namespace {

// More than that are not looked through.
constexpr std::size_t max_questions = 64;

constexpr std::size_t question_overhead = 4'096;  // the problem, and the search by places

}  // namespace

void OpenQuestions::put(const Sequence& route, Question question) {
    const std::size_t bytes = question.bytes() + question_overhead;
    if (bytes > max_bytes_) return;  // it would drive out all others, and then itself
    entries_.push_front({route, std::move(question), bytes});
    bytes_ += bytes;
    while (bytes_ > max_bytes_ || entries_.size() > max_questions) {
        bytes_ -= entries_.back().bytes;
        entries_.pop_back();
    }
}

void OpenQuestions::clear() {
    entries_.clear();
    bytes_ = 0;
}

}  // namespace tailgate::packing
