// A set of byte strings within a limit of memory. Strings are kept in full and compared in full, so
// that a hit is a proof and not a matter of hashing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tailgate::packing {

class KeySet {
  public:
    // Keys are whole words: their writers pad them with zeros.
    static constexpr std::size_t word = sizeof(std::uint64_t);
    using Key = std::span<const std::uint8_t>;

    explicit KeySet(std::size_t max_bytes) : max_bytes_(max_bytes) {}

    [[nodiscard]] bool contains(Key key) const;
    // Was it new? When memory is used up a key is forgotten and counts as new.
    bool insert(Key key);

    [[nodiscard]] bool empty() const { return used_ == 0; }
    [[nodiscard]] bool is_full() const { return is_full_; }  // the last new key was forgotten
    [[nodiscard]] std::size_t bytes() const {
        return slots_.capacity() * sizeof(Slot) + keys_.capacity();
    }

  private:
    struct Slot {
        std::uint64_t hash = 0;
        std::uint64_t place = 0;  // offset and length of the key in keys_; 0: empty
    };

    [[nodiscard]] std::size_t find_slot(Key key, std::uint64_t hash) const;
    void grow();

    std::size_t max_bytes_;
    std::vector<Slot> slots_;
    std::vector<std::uint8_t> keys_;
    std::size_t used_ = 0;
    bool is_full_ = false;
};

}  // namespace tailgate::packing
