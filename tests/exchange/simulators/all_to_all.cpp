// Loads a platform of SimGrid, prints the route of each pair of hosts and the time of an all-to-all of the bytes given.
#include <cstdio>
#include <simgrid/s4u.hpp>

int main(int argc, char** argv)
{
  simgrid::s4u::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  const auto hosts = engine.get_all_hosts();
  for (auto* a : hosts)
    for (auto* b : hosts)
      if (a != b) {
        std::vector<simgrid::s4u::Link*> links;
        double latency = 0;
        a->route_to(b, links, &latency);
        std::printf("%s %s %.12g", a->get_cname(), b->get_cname(), latency);
        for (auto* link : links)
          std::printf(" %s", link->get_cname());
        std::printf("\n");
      }
  const double bytes = std::stod(argv[2]);
  simgrid::s4u::Actor::create("all-to-all", hosts[0], [&hosts, bytes] {
    std::vector<simgrid::s4u::CommPtr> sent;
    for (auto* a : hosts)
      for (auto* b : hosts)
        if (a != b)
          sent.push_back(simgrid::s4u::Comm::sendto_async(a, b, static_cast<uint64_t>(bytes)));
    for (auto& one : sent)
      one->wait();
  });
  engine.run();
  std::printf("time %.12g\n", simgrid::s4u::Engine::get_clock());
}
