#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>

#include "network/activations.hpp"
#include "network/route_predictor.hpp"
#include "test.hpp"

using namespace tailgate::network;
using namespace tailgate::tests;

namespace {

constexpr std::size_t size = 8;
constexpr std::size_t inner = 12;

class RandomWeights {
  public:
    explicit RandomWeights(unsigned seed) : dice_(seed) {}

    Tensors draw(std::size_t customer_features, std::size_t route_features) {
        Tensors tensors;
        add(tensors, "embed.weight", {size, 2});
        add(tensors, "embed.bias", {size});
        for (const char* layer : {"layers.0", "layers.1"}) {
            const std::string name = layer;
            add(tensors, name + ".attention.in_proj_weight", {3 * size, size});
            add(tensors, name + ".attention.in_proj_bias", {3 * size});
            add(tensors, name + ".attention.out_proj.weight", {size, size});
            add(tensors, name + ".attention.out_proj.bias", {size});
            add(tensors, name + ".linear1.weight", {inner, size});
            add(tensors, name + ".linear1.bias", {inner});
            add(tensors, name + ".linear2.weight", {size, inner});
            add(tensors, name + ".linear2.bias", {size});
            for (const char* norm : {".norm1", ".norm2"}) {
                add(tensors, name + norm + ".weight", {size});
                add(tensors, name + norm + ".bias", {size});
            }
        }
        add(tensors, "gru.weight_ih", {3 * size, size + customer_features});
        add(tensors, "gru.weight_hh", {3 * size, size});
        add(tensors, "gru.bias_ih", {3 * size});
        add(tensors, "gru.bias_hh", {3 * size});
        add(tensors, "head.0.weight", {size, size + route_features});
        add(tensors, "head.0.bias", {size});
        add(tensors, "head.2.weight", {1, size});
        add(tensors, "head.2.bias", {1});
        return tensors;
    }

    std::vector<CustomerInput> customers(std::size_t count, std::size_t features,
                                         std::size_t terms) {
        std::vector<CustomerInput> result(count);
        for (CustomerInput& customer : result) {
            customer.items = numbers(2 * std::uniform_int_distribution<std::size_t>(0, 3)(dice_));
            customer.features = numbers(features);
            customer.terms = numbers(terms);
        }
        return result;
    }

    Route route(std::int32_t customers) {
        Route result;
        for (std::int32_t customer = 1; customer <= customers; ++customer)
            if (std::bernoulli_distribution(0.5)(dice_)) result.push_back(customer);
        // Few beginnings, so that routes share them.
        if (result.size() > 3) std::shuffle(result.begin() + 2, result.end(), dice_);
        return result;
    }

  private:
    std::vector<float> numbers(std::size_t count) {
        std::vector<float> result(count);
        for (float& number : result) number = std::uniform_real_distribution<float>(-1, 1)(dice_);
        return result;
    }

    void add(Tensors& tensors, const std::string& name, std::vector<std::size_t> shape) {
        std::size_t count = 1;
        for (const std::size_t extent : shape) count *= extent;
        tensors[name] = {std::move(shape), numbers(count)};
    }

    std::mt19937 dice_;
};

bool near(double a, double b, double tolerance) {
    return std::abs(a - b) <= tolerance;
}

TEST(activations_are_those_of_the_library) {
    for (float x = -87.0F; x < 87.0F; x += 0.0137F) {
        const double expected = std::exp(static_cast<double>(x));
        CHECK(near(exponential(x), expected, 3e-7 * expected));
        CHECK(near(hyperbolic_tangent(x), std::tanh(static_cast<double>(x)), 3e-7));
        CHECK(near(sigmoid(x), 1.0 / (1.0 + std::exp(-static_cast<double>(x))), 3e-7));
    }
    // What is out of reach must end at a limit, not in an infinity or a number of its own.
    for (const float x : {1e3F, 1e30F}) {
        CHECK(std::isfinite(exponential(x)));
        CHECK(hyperbolic_tangent(x) == 1.0F);
        CHECK(hyperbolic_tangent(-x) == -1.0F);
        CHECK(sigmoid(x) == 1.0F);
        CHECK(near(sigmoid(-x), 0.0, 1e-30));
    }
}

TEST(a_network_of_ones_gives_what_a_pencil_gives) {
    Tensors tensors{
        {"embed.weight", {{1, 2}, {1.0F, 2.0F}}}, {"embed.bias", {{1}, {0.5F}}},
        {"gru.weight_ih", {{3, 1}, {0, 0, 1}}},   {"gru.weight_hh", {{3, 1}, {0, 0, 0}}},
        {"gru.bias_ih", {{3}, {0, 0, 0}}},        {"gru.bias_hh", {{3}, {0, 0, 0}}},
        {"head.0.weight", {{1, 1}, {1.0F}}},      {"head.0.bias", {{1}, {0.0F}}},
        {"head.2.weight", {{1, 1}, {4.0F}}},      {"head.2.bias", {{1}, {-1.0F}}}};
    RoutePredictor predictor(std::make_shared<Network>(tensors, Step::item, 1),
                             {{{0.25F, 0.5F}, {}, {}}, {{}, {}, {}}});
    // The update gate stands at a half: half of tanh(0.25 + 2 * 0.5 + 0.5), and again.
    const double once = std::tanh(1.75) / 2;
    CHECK(near(predictor.logit({1}), 4 * once - 1, 1e-6));
    // A customer without items changes nothing.
    CHECK(predictor.logit({2, 1}) == predictor.logit({1}));
    CHECK(near(predictor.logit({2}), -1, 1e-6));
    CHECK(near(predictor.logit({}), -1, 1e-6));
}

TEST(kept_states_change_nothing) {
    RandomWeights dice(1);
    for (const Step step : {Step::item, Step::customer}) {
        const std::size_t features = step == Step::item ? 0 : 3;
        const auto network = std::make_shared<Network>(dice.draw(features, 2), step, 4);
        const std::vector<CustomerInput> customers = dice.customers(9, features, 2);
        RoutePredictor predictor(network, customers);
        std::vector<Route> routes;
        std::vector<float> one_by_one;
        for (int i = 0; i < 200; ++i) {
            routes.push_back(dice.route(9));
            one_by_one.push_back(RoutePredictor(network, customers).logit(routes.back()));
            CHECK(predictor.logit(routes.back()) == one_by_one.back());
        }
        CHECK(predictor.steps_saved() > 0);
        RoutePredictor batch(network, customers);
        CHECK(batch.logits(routes) == one_by_one);
        CHECK(batch.steps() + batch.steps_saved() == predictor.steps() + predictor.steps_saved());
        CHECK(batch.steps() < predictor.steps());
    }
}

TEST(the_order_of_items_matters_only_with_a_step_per_item) {
    RandomWeights dice(2);
    for (const Step step : {Step::item, Step::customer}) {
        const auto network = std::make_shared<Network>(dice.draw(0, 0), step, 2);
        std::vector<CustomerInput> customers{{{0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F}, {}, {}}};
        RoutePredictor there(network, customers);
        customers[0].items = {0.5F, 0.6F, 0.1F, 0.2F, 0.3F, 0.4F};
        RoutePredictor back(network, customers);
        const bool same = near(there.logit({1}), back.logit({1}), 1e-5);
        CHECK(same == (step == Step::customer));
    }
}

template <typename Error, typename Work>
std::string complaint(const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(tensors_that_do_not_fit_are_named) {
    RandomWeights dice(3);
    const Tensors good = dice.draw(1, 1);
    const auto refusal = [](const Tensors& tensors, Step step, std::size_t heads) {
        return complaint<std::invalid_argument>([&] { Network(tensors, step, heads); });
    };
    CHECK(refusal(good, Step::customer, 4).empty());
    CHECK(refusal(good, Step::customer, 3).find("3 heads") != std::string::npos);
    CHECK(refusal(good, Step::customer, 0).find("0 heads") != std::string::npos);
    CHECK(refusal(good, Step::item, 4).find("gru.weight_ih") != std::string::npos);
    for (const auto& [name, tensor] : good) {
        Tensors without = good;
        without.erase(name);
        CHECK(!refusal(without, Step::customer, 4).empty());
        Tensors other = good;
        other[name].shape.push_back(1);
        CHECK(refusal(other, Step::customer, 4).find(name) != std::string::npos);
        Tensors shorter = good;
        shorter[name].values.pop_back();
        CHECK(refusal(shorter, Step::customer, 4).find(name) != std::string::npos);
    }
    Tensors more = good;
    more["layers.7.norm1.weight"] = {{1}, {0}};
    CHECK(refusal(more, Step::customer, 4).find("layers.7") != std::string::npos);
}

TEST(routes_and_features_are_looked_at) {
    RandomWeights dice(4);
    const auto network = std::make_shared<Network>(dice.draw(1, 2), Step::customer, 4);
    RoutePredictor predictor(network, dice.customers(3, 1, 2));
    const float before = predictor.logit({1, 2});
    for (const Route& route : {Route{0}, Route{4}, Route{1, -1}})
        CHECK(!complaint<std::out_of_range>([&] { predictor.logit(route); }).empty());
    CHECK(predictor.logit({1, 2}) == before);
    for (const auto& customers : {dice.customers(1, 0, 2), dice.customers(1, 1, 1)})
        CHECK(
            !complaint<std::invalid_argument>([&] { RoutePredictor(network, customers); }).empty());
}

}  // namespace
