#include <elasto/plugin.h>
#include <elasto/world_recording.h>

#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <iterator>
#include <stdexcept>

#include "recording/built_world.h"
#include "recording/recorded_run.h"
#include "tick/call_tape.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// The first line of a file; its number changes when what follows does.
constexpr const char* kRecordingFormat = "Elasto world recording 1, ";
constexpr const char* kOurPrecision = sizeof(btScalar) == sizeof(double) ? "double precision" : "single precision";

void writeChunks(ByteWriter& s, const ChunkList& chunks) {
    writeNumber(s, chunks.size());
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        writeNumber(s, chunks[i].size());
        s.raw(chunks[i].data(), chunks[i].size());
    }
}

Bytes readBytes(ByteReader& s) {
    const std::uint64_t size = readNumber(s);
    if (size > s.left()) throw InvalidParameter("recording", "it ends within a value: the file is cut short");
    Bytes bytes(size);
    s.raw(bytes.data(), size);
    return bytes;
}

ChunkList readChunks(ByteReader& s) {
    ChunkList chunks;
    for (std::uint64_t left = readNumber(s); left > 0; --left) chunks.add(readBytes(s));
    return chunks;
}

void writeBytes(ByteWriter& s, const Bytes& bytes) {
    writeNumber(s, bytes.size());
    s.raw(bytes.data(), bytes.size());
}

const RecordedRun& runOf(const std::shared_ptr<const RecordedRun>& run) {
    static const RecordedRun none;
    return run ? *run : none;
}

Bytes bodyOf(const RecordedRun& from) {
    Bytes bytes;
    ByteWriter s(bytes);
    RecordedRun run = {from.version, from.notes, from.startTime, {}, {}};
    s(run.version, run.notes, run.startTime);
    writeChunks(s, from.start);
    writeNumber(s, from.ticks.size());
    double h = 0;
    for (const RecordedTick& tick : from.ticks) {
        // Nearly all ticks are as long as the one before.
        unsigned char isOther = tick.h == h ? 0 : 1;
        s(isOther);
        h = tick.h;
        if (isOther != 0) s(h);
        writeBytes(s, tick.changes);
        writeBytes(s, tick.answers);
        std::uint64_t hash = tick.hash;
        s(hash);
    }
    return bytes;
}

RecordedRun runFrom(ByteReader& s) {
    RecordedRun run;
    s(run.version, run.notes, run.startTime);
    run.start = readChunks(s);
    double h = 0;
    for (std::uint64_t left = readNumber(s); left > 0; --left) {
        RecordedTick& tick = run.ticks.emplace_back();
        unsigned char isOther = 0;
        s(isOther);
        if (isOther != 0) s(h);
        tick.h = h;
        tick.changes = readBytes(s);
        tick.answers = readBytes(s);
        s(tick.hash);
    }
    return run;
}

}  // namespace

WorldRecording::WorldRecording() = default;
WorldRecording::WorldRecording(std::shared_ptr<const RecordedRun> run) : m_run(std::move(run)) {}

int WorldRecording::ticks() const {
    return static_cast<int>(runOf(m_run).ticks.size());
}
double WorldRecording::startTime() const {
    return runOf(m_run).startTime;
}
const std::string& WorldRecording::version() const {
    return runOf(m_run).version;
}
const std::vector<std::string>& WorldRecording::notes() const {
    return runOf(m_run).notes;
}

std::size_t WorldRecording::size() const {
    return bodyOf(runOf(m_run)).size();
}

void WorldRecording::write(std::ostream& out) const {
    const Bytes bytes = bodyOf(runOf(m_run));
    const std::uint64_t check = checkSumOf(bytes);  // the file's end
    out << kRecordingFormat << kOurPrecision << '\n';
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    out.write(reinterpret_cast<const char*>(&check), sizeof check);
}

WorldRecording WorldRecording::read(std::istream& in, const std::string& source) {
    std::string line;
    std::getline(in, line);
    if (!line.starts_with(kRecordingFormat)) {
        throw InvalidParameter(source, line.starts_with("Elasto world recording ")
                                           ? "it is a recording of another version of Elasto (its first line is '" +
                                                 line + "', this version reads '" + kRecordingFormat + "...')"
                                           : std::string("it is no recording of a world; Plugin::record makes them"));
    }
    if (line != std::string(kRecordingFormat) + kOurPrecision) {
        throw InvalidParameter(source,
                               "it was recorded in another precision ('" + line + "'), this is " + kOurPrecision);
    }
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    std::uint64_t check = 0;
    if (text.size() < sizeof check) throw InvalidParameter(source, "the file is cut short");
    const std::size_t size = text.size() - sizeof check;
    std::memcpy(&check, bytes + size, sizeof check);
    if (check != checkSumOf({bytes, size})) {
        throw InvalidParameter(source, "the file is damaged or cut short: its check sum is not that of what is in it");
    }
    ByteReader reader(bytes, size);
    return WorldRecording(std::make_shared<const RecordedRun>(runFrom(reader)));
}

struct WorldReplay::State {
    explicit State(const WorldRecording& recording) : run(recording.run()) {
        if (recording.isEmpty()) throw InvalidParameter("WorldReplay", "the recording is empty; it must have a tick");
        totals = {};
        begin(run->start);
    }

    // The world is to be what these chunks say.
    void begin(const ChunkList& chunks) {
        WorldState state = stateFrom(chunks);
        Bytes build = buildBytes(state);
        if (!built || build != present) {
            built.reset();
            built.emplace(state, tape);
            present = std::move(build);
        }
        built->restore(state);
    }

    void step() {
        const RecordedTick& tick = run->ticks[static_cast<std::size_t>(done)];
        if (done > 0) begin(changed(end, tick.changes));
        answers = changed(answers, tick.answers);
        tape.answers.clear();
        if (answers.size() > 0) {
            ByteReader reader = answers.reader(0);
            reader(tape.answers);
        }
        tape.next = 0;
        WorldState state = built->step(static_cast<btScalar>(tick.h));
        ++done;
        totals += built->plugin().statistics();
        differs = hashOf(state) != tick.hash;
        goOnToNextTick(state, static_cast<btScalar>(tick.h));
        end = chunksOf(state);
    }

    std::shared_ptr<const RecordedRun> run;
    CallTape tape;
    std::optional<BuiltWorld> built;
    Bytes present;  // what it is built of
    ChunkList end;  // of the last tick
    ChunkList answers;
    TickStatistics totals;
    int done = 0;
    bool differs = false;
};

WorldReplay::WorldReplay(const WorldRecording& recording) : m_state(std::make_unique<State>(recording)) {}
WorldReplay::~WorldReplay() = default;

bool WorldReplay::isDone() const {
    return m_state->differs || m_state->done == static_cast<int>(m_state->run->ticks.size());
}
void WorldReplay::step() {
    if (!isDone()) m_state->step();
}
int WorldReplay::tick() const {
    return m_state->done;
}
bool WorldReplay::differs() const {
    return m_state->differs;
}
double WorldReplay::time() const {
    return m_state->built->plugin().time();
}
const TickStatistics& WorldReplay::totals() const {
    return m_state->totals;
}
btDiscreteDynamicsWorld& WorldReplay::world() {
    return m_state->built->world();
}
Plugin& WorldReplay::plugin() {
    return m_state->built->plugin();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
