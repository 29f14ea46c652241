// The whole of the panels, driven with a mouse, without a window.

#include <panels/workspace.h>

#include <elasto/scene/load_scene.h>

#include <imgui_internal.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>

#include "../tools/temporary_folder.h"
#include "null_interface.h"

using namespace elasto;
using namespace elasto::panels;

namespace {

Scene asset(const std::string& name) {
    return loadScene(ELASTO_SOURCE_DIR "/assets/scenes/" + name + ".json");
}

/// A workspace, a session and somebody with a mouse.
class Person {
public:
    explicit Person(const std::string& scene = "elasto_gap") : session(asset(scene)), workspace(settings) {
        demos = {{"gap", "Gap", "Look", "Press", ""}, {"backlash", "Backlash", "Look", "Press", ""}};
        input.demos = demos;
        input.demo = 0;
        ImGui::GetIO().MousePos = {-1e4f, -1e4f};
    }

    /// One frame; what was asked for is added up.
    void frame() {
        input.shownTime = session.time();
        interface.bareFrame([&] {
            const Requests& now = workspace.draw(session, input);
            requests.actions.insert(requests.actions.end(), now.actions.begin(), now.actions.end());
            if (now.time) requests.time = now.time;
            if (now.rate) requests.rate = now.rate;
            if (now.demo) requests.demo = now.demo;
            if (now.file) requests.file = now.file;
            if (now.saveAs) requests.saveAs = now.saveAs;
            if (now.picture) requests.picture = now.picture;
            requests.pause = requests.pause || now.pause;
            requests.areSettingsChanged = requests.areSettingsChanged || now.areSettingsChanged;
        });
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) frame();
    }
    void moveTo(float x, float y) {
        interface.mouse(x, y);
        frame();
    }
    void drag(float x, float y, float toX, float toY) {
        moveTo(x, y);
        interface.press(0);
        frame();
        moveTo((x + toX) / 2, (y + toY) / 2);
        moveTo(toX, toY);
        interface.release(0);
        frame();
        frame();
    }
    void click(float x, float y) { drag(x, y, x, y); }
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i) session.step();
    }
    bool asked(Action action) const {
        return std::find(requests.actions.begin(), requests.actions.end(), action) != requests.actions.end();
    }

    NullInterface interface { 1600, 900 };
    Settings settings;
    play::Session session;
    std::vector<DemoEntry> demos;
    Workspace workspace;
    WorkspaceInput input;
    Requests requests;
};

}  // namespace

TEST_CASE("the element that can part is selected first") {
    Person person;
    person.frame();
    CHECK(std::holds_alternative<ElastoGapLaw>(
        person.session.scene().elements.at(static_cast<std::size_t>(person.workspace.element())).law));
}

TEST_CASE("a slider edits a parameter in one step that can be undone") {
    Person person;
    person.run(20);
    person.frames(3);
    const int element = person.workspace.element();
    const Rect rect = person.workspace.layout().parameters;
    const double before = person.session.parameter(element, "c");
    float y = rect.top;
    while (person.session.parameter(element, "c") == before && y < rect.bottom()) {
        y += 9;
        person.drag(rect.left + rect.width * 0.5f, y, rect.left + rect.width * 0.62f, y);
        if (person.session.parameter(element, "c") == before && person.session.canUndo()) person.session.undo();
    }
    REQUIRE(y < rect.bottom());
    CHECK(person.session.parameter(element, "c") != before);
    CHECK(person.workspace.perform(Action::Undo, person.session));
    CHECK(person.session.parameter(element, "c") == before);
    CHECK(person.workspace.perform(Action::Redo, person.session));
    CHECK(person.session.parameter(element, "c") != before);
}

TEST_CASE("a typed value counts when it is complete, and only then") {
    Person person;
    person.run(20);
    person.frames(3);
    const int element = person.workspace.element();
    const Rect rect = person.workspace.layout().parameters;
    const double before = person.session.parameter(element, "c");
    ImGuiIO& io = ImGui::GetIO();
    // Ctrl + click on a slider makes it a text field; the first one is that of c.
    for (float y = rect.top; y < rect.bottom() && !io.WantTextInput; y += 9) {
        person.moveTo(rect.left + rect.width * 0.5f, y);
        io.KeyCtrl = true;
        person.frame();
        person.click(rect.left + rect.width * 0.5f, y);
        io.KeyCtrl = false;
        person.frame();
    }
    REQUIRE(io.WantTextInput);
    const auto press = [&](ImGuiKey key) {
        io.KeyMap[key] = key;
        io.KeysDown[key] = true;
        person.frame();
        io.KeysDown[key] = false;
        person.frames(2);
    };
    for (const char* character = "0.5"; *character != 0; ++character) {
        io.AddInputCharacter(static_cast<unsigned>(*character));
        person.frame();
        CHECK(person.session.inputs().empty());
    }
    SECTION("Enter takes it") {
        press(ImGuiKey_Enter);
        CHECK(person.session.parameter(element, "c") == 0.5);
        CHECK(person.session.inputs().size() == 1);
        CHECK_FALSE(io.WantTextInput);
    }
    SECTION("Escape leaves it") {
        press(ImGuiKey_Escape);
        CHECK(person.session.parameter(element, "c") == before);
        CHECK(person.session.inputs().empty());
        CHECK_FALSE(io.WantTextInput);
    }
}

namespace {

/// Finds the field of a parameter by dragging in one after the other. @return where it is
ImVec2 fieldOf(Person& person, const char* symbol) {
    const Rect rect = person.workspace.layout().parameters;
    const int element = person.workspace.element();
    const double before = person.session.parameter(element, symbol);
    for (float y = rect.top; y < rect.bottom(); y += 9) {
        person.drag(rect.left + rect.width * 0.5f, y, rect.left + rect.width * 0.62f, y);
        const bool isFound = person.session.parameter(element, symbol) != before;
        if (person.session.canUndo()) person.session.undo();
        person.frames(2);
        if (isFound) return {rect.left + rect.width * 0.5f, y};
    }
    FAIL("no field of " << symbol);
    return {};
}

void doubleClick(Person& person, ImVec2 at) {
    person.moveTo(at.x, at.y);
    for (int i = 0; i < 2; ++i) {
        person.interface.press(0);
        person.frame();
        person.interface.release(0);
        person.frame();
    }
    person.frames(4);
}

void type(Person& person, const char* text) {
    for (; *text != 0; ++text) ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(*text));
    person.frames(2);
}

void press(Person& person, ImGuiKey key) {
    ImGuiIO& io = ImGui::GetIO();
    io.KeyMap[key] = key;
    io.KeysDown[key] = true;
    person.frame();
    io.KeysDown[key] = false;
    person.frames(5);
}

}  // namespace

TEST_CASE("a click opens a field for typing and changes nothing, and all that is typed then belongs to it") {
    Person person;
    person.run(20);
    person.frames(3);
    const int element = person.workspace.element();
    const double before = person.session.parameter(element, "c");
    const ImVec2 field = fieldOf(person, "c");
    person.frames(60);
    SECTION("by one click") {
        person.moveTo(field.x + 40, field.y);
        person.interface.press(0);
        person.frame();
        CHECK(ImGui::GetIO().WantTextInput);  // from the press on
        person.interface.release(0);
        person.frame();
        CHECK(ImGui::GetIO().WantTextInput);
    }
    SECTION("by a slow double click") {
        person.click(field.x + 40, field.y);
        person.frames(10);
        person.click(field.x + 40, field.y);
        person.frames(10);
        press(person, ImGuiKey_Escape);
        person.click(field.x + 40, field.y);
    }
    SECTION("by two clicks in a row") {
        doubleClick(person, {field.x + 40, field.y});
    }
    CHECK(person.session.parameter(element, "c") == before);
    CHECK(ImGui::GetIO().WantTextInput);
    type(person, "0.25");
    press(person, ImGuiKey_Enter);
    CHECK(person.session.parameter(element, "c") == 0.25);
    CHECK_FALSE(ImGui::GetIO().WantTextInput);
}

TEST_CASE("a typed unit is converted, and one of another quantity refused until it is put right") {
    Person person;
    person.run(20);
    person.frames(3);
    const int element = person.workspace.element();
    const ImVec2 field = fieldOf(person, "s_rel0");
    const double before = person.session.parameter(element, "s_rel0");
    person.frames(60);
    doubleClick(person, field);
    REQUIRE(ImGui::GetIO().WantTextInput);
    type(person, "1200 kg");
    press(person, ImGuiKey_Enter);
    CHECK(person.session.parameter(element, "s_rel0") == before);
    CHECK(ImGui::GetIO().WantTextInput);  // nothing that was typed is lost
    CHECK(verticesOfColor(person.workspace.palette().bad) > 0);
    type(person, "1200 mm");
    press(person, ImGuiKey_Enter);
    CHECK(person.session.parameter(element, "s_rel0") == Approx(1.2));
    CHECK_FALSE(ImGui::GetIO().WantTextInput);
}

namespace {

Rect rectOf(const ImGuiWindow& window) {
    return {window.Pos.x, window.Pos.y, window.Size.x, window.Size.y};
}

/// Whether two parts of the screen have more than an edge in common.
bool meet(const Rect& a, const Rect& b) {
    constexpr float kEdge = 1;
    return a.left + kEdge < b.right() && b.left + kEdge < a.right() && a.top + kEdge < b.bottom() &&
           b.top + kEdge < a.bottom();
}

}  // namespace

TEST_CASE("tooltips stand beside the panel that they explain something in") {
    Person person;
    person.run(20);
    person.frames(3);
    const Layout layout = person.workspace.layout();
    const auto tipAt = [&](float x, float y) -> const ImGuiWindow* {
        person.moveTo(x, y);
        person.frames(30);
        const ImGuiWindow* tip = ImGui::FindWindowByName("##Tooltip_00");
        return tip != nullptr && tip->Active ? tip : nullptr;
    };
    int tips = 0;
    for (const Rect& part : {layout.demos, layout.parameters, layout.analysis}) {
        for (float y = part.top + 20; y < part.bottom(); y += 40) {
            const ImGuiWindow* tip = tipAt(part.left + 0.4f * part.width, y);
            if (tip == nullptr) continue;
            ++tips;
            INFO(y << ": " << tip->Pos.x << " .. " << tip->Pos.x + tip->Size.x);
            CHECK_FALSE(meet(rectOf(*tip), part));
            CHECK((tip->Pos.x >= 0 && tip->Pos.x + tip->Size.x <= 1600));
        }
    }
    CHECK(tips >= 6);
}

TEST_CASE("the caption stands above the view and takes no more than there is room for") {
    Person person;
    person.input.caption = {"gap", "A title", std::string(400, 'x') + " look", "press", ""};
    for (std::size_t i = 0; i < person.input.caption.look.size(); i += 8) person.input.caption.look[i] = ' ';
    const auto caption = [] { return rectOf(*ImGui::FindWindowByName("caption")); };
    person.frames(3);
    const Rect whole = caption();
    CHECK_FALSE(meet(whole, person.workspace.view()));
    CHECK(person.workspace.view().top == Approx(whole.bottom()));
    CHECK(whole.height < 0.25f * 900);
    ImGui::GetIO().DisplaySize = {1100, 560};
    person.settings.scale = 0.8;
    person.frames(3);
    const Rect title = caption();
    CHECK_FALSE(meet(title, person.workspace.view()));
    CHECK(title.height < 0.12f * 560);
    // Who wants it whole has it.
    const float line = ImGui::GetFontSize();
    person.click(title.right() - 2 * line, title.top + 1.2f * line);
    person.frames(2);
    CHECK(caption().height > 1.5f * title.height);
    CHECK_FALSE(meet(caption(), person.workspace.view()));
}

TEST_CASE("numbers, tabs and plots are reached with the keyboard alone") {
    Person person;
    person.run(20);
    person.frames(3);
    ImGuiIO& io = ImGui::GetIO();
    for (const ImGuiKey key : {ImGuiKey_DownArrow, ImGuiKey_UpArrow, ImGuiKey_RightArrow, ImGuiKey_LeftArrow,
                               ImGuiKey_Space, ImGuiKey_Enter, ImGuiKey_Escape}) {
        io.KeyMap[key] = key;
    }
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    std::vector<std::string> panels;
    for (int i = 0; i < 6; ++i) {
        CHECK(person.workspace.perform(Action::NextPanel, person.session));
        person.frames(3);
        REQUIRE(context.NavWindow != nullptr);
        panels.push_back(context.NavWindow->RootWindow->Name);
        CHECK(context.NavId != 0);
        CHECK_FALSE(context.NavDisableHighlight);
        // Wherever the arrows go, each of them shows where it is.
        std::set<ImGuiID> reached;
        for (int step = 0; step < 40; ++step) {
            constexpr ImGuiKey kWay[] = {ImGuiKey_RightArrow, ImGuiKey_DownArrow, ImGuiKey_DownArrow, ImGuiKey_UpArrow};
            press(person, kWay[step % 4]);
            reached.insert(context.NavId);
        }
        INFO(panels.back());
        CHECK(reached.size() >= 3);
    }
    CHECK(panels == std::vector<std::string>{"demos", "parameters", "plots", "analysis", "timeline", "toolbar"});
    CHECK(person.session.inputs().empty());

    // The number below the element's name and its switch: typed, and nothing else done.
    person.workspace.perform(Action::PreviousPanel, person.session);
    for (int i = 0; i < 3; ++i) {
        person.frames(3);
        person.workspace.perform(Action::PreviousPanel, person.session);
    }
    person.frames(3);
    REQUIRE(std::string(context.NavWindow->RootWindow->Name) == "parameters");
    for (int step = 0; step < 20 && !io.WantTextInput; ++step) {
        press(person, ImGuiKey_DownArrow);
        press(person, ImGuiKey_Enter);
        if (io.WantTextInput && context.ActiveIdWindow != nullptr) break;
    }
    REQUIRE(io.WantTextInput);
    type(person, "123");
    press(person, ImGuiKey_Enter);
    REQUIRE(person.session.inputs().size() == 1);
    const auto* edit = std::get_if<play::ParameterEdit>(&person.session.inputs().front().action);
    REQUIRE(edit != nullptr);
    CHECK(edit->value == 123);
    CHECK_FALSE(io.WantTextInput);
    CHECK(person.workspace.hasTopLayer(person.session));
    CHECK(person.workspace.perform(Action::CloseTop, person.session));
    CHECK_FALSE(person.workspace.hasTopLayer(person.session));
    CHECK((io.ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) == 0);
}

TEST_CASE("a file is opened by its path or from the list, and what is saved follows from the ending") {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "below");
    for (const char* name : {"one.json", "other.txt", "below/two.urdf"}) std::ofstream(folder.path() / name) << "x";
    Person person;
    FileDialog& dialog = person.workspace.files();
    ImGuiIO& io = ImGui::GetIO();
    const auto key = [&](ImGuiKey which) { press(person, which); };
    dialog.open(FileDialog::Purpose::Open, folder.path() / "");
    person.frames(5);
    REQUIRE(io.WantTextInput);
    SECTION("typed") {
        type(person, "be");
        key(ImGuiKey_Tab);
        CHECK(dialog.text() == (folder.path() / "below/").string());
        type(person, "two.urdf");
        key(ImGuiKey_Enter);
        CHECK(person.requests.file == folder.path() / "below/two.urdf");
        CHECK_FALSE(dialog.isOpen());
    }
    SECTION("not there") {
        type(person, "three.json");
        key(ImGuiKey_Enter);
        CHECK_FALSE(person.requests.file);
        CHECK(dialog.isOpen());
        CHECK(verticesOfColor(person.workspace.palette().warning) > 0);
    }
    SECTION("saved") {
        dialog.open(FileDialog::Purpose::Save, folder.path() / "run.elrec");
        person.frames(5);
        key(ImGuiKey_Enter);
        CHECK(person.requests.saveAs == folder.path() / "run.elrec");
    }
    SECTION("saved in the place of another one only when asked twice") {
        dialog.open(FileDialog::Purpose::Save, folder.path() / "one.json");
        person.frames(5);
        key(ImGuiKey_Enter);
        CHECK_FALSE(person.requests.saveAs);
        key(ImGuiKey_Enter);
        CHECK(person.requests.saveAs == folder.path() / "one.json");
    }
    SECTION("of no kind that is known") {
        dialog.open(FileDialog::Purpose::Save, folder.path() / "run.txt");
        person.frames(5);
        key(ImGuiKey_Enter);
        CHECK_FALSE(person.requests.saveAs);
    }
    CHECK(person.workspace.hasTopLayer(person.session) == dialog.isOpen());
    const std::vector<std::string> names = {"below/", "one.json", "one.elrec"};
    CHECK(completed("/a/o", names) == "/a/one.");
    CHECK(completed("/a/b", names) == "/a/below/");
    CHECK(completed("/a/x", names) == "/a/x");
    CHECK(completed("one.j", names) == "one.json");
}

TEST_CASE("the figures of the status bar say what they are when the mouse rests on them") {
    Person person;
    person.run(20);
    person.frames(3);
    const Rect rect = person.workspace.layout().status;
    const auto isTipShown = [] {
        const ImGuiWindow* tip = ImGui::FindWindowByName("##Tooltip_00");
        return tip != nullptr && tip->Active;
    };
    int tips = 0;
    for (float x = rect.left + 16; x < rect.left + 700; x += 60) {
        person.moveTo(x, rect.middle().y);
        if (x == rect.left + 16) CHECK_FALSE(isTipShown());  // not at once
        person.frames(30);
        tips += isTipShown() ? 1 : 0;
    }
    CHECK(tips >= 5);
}

TEST_CASE("without panels there is no toolbar either, until panels are asked for") {
    Person person;
    const auto isShown = [] {
        const ImGuiWindow* toolbar = ImGui::FindWindowByName("toolbar");
        return toolbar != nullptr && toolbar->Active;
    };
    person.settings.panels.all = person.settings.panels.toolbar = false;
    person.frames(3);
    CHECK_FALSE(isShown());
    CHECK(person.workspace.perform(Action::TogglePanels, person.session));
    person.frames(3);
    CHECK(isShown());
    CHECK(person.workspace.perform(Action::TogglePanels, person.session));
    person.frames(3);
    CHECK(isShown());
}

TEST_CASE("the tour shows five parts of the window, one after the other, and is not shown again") {
    Person person;
    person.workspace.tour().start();
    const auto window = [] { return ImGui::FindWindowByName("tour"); };
    ImVec2 next;
    for (std::size_t card = 0; card < FirstTour::kCards; ++card) {
        person.frames(5);
        CHECK(person.workspace.tour().card() == card);
        REQUIRE(window() != nullptr);
        CHECK(window()->Active);
        // All of it is on the screen.
        CHECK(window()->Pos.x >= 0);
        CHECK(window()->Pos.y >= 0);
        CHECK(window()->Pos.x + window()->Size.x <= 1600);
        CHECK(window()->Pos.y + window()->Size.y <= 900);
        CHECK_FALSE(person.settings.hasSeenTour);
        // It covers nothing, and the button for the next one stays where it is.
        const Layout& layout = person.workspace.layout();
        for (const Rect& part : {layout.view, layout.demos, layout.parameters, layout.plots, layout.analysis,
                                 layout.timeline, layout.status}) {
            CHECK_FALSE(meet(rectOf(*window()), part));
        }
        const float line = ImGui::GetFontSize();
        const ImVec2 corner = {window()->Pos.x + window()->Size.x, window()->Pos.y + window()->Size.y};
        if (card == 0) next = {corner.x - 2 * line, corner.y - 1.5f * line};
        person.click(next.x, next.y);
    }
    person.frames(2);
    CHECK_FALSE(person.workspace.tour().isOpen());
    CHECK(person.settings.hasSeenTour);
    CHECK(person.requests.areSettingsChanged);
    SECTION("Esc ends it, too") {
        person.settings.hasSeenTour = false;
        person.workspace.tour().start();
        person.frames(2);
        CHECK(person.workspace.hasTopLayer(person.session));
        CHECK(person.workspace.perform(Action::CloseTop, person.session));
        CHECK_FALSE(person.workspace.tour().isOpen());
        CHECK(person.settings.hasSeenTour);
    }
}

TEST_CASE("panels that are wanted large are as large as the window has room for, and none of them is gone") {
    Settings settings;
    for (const ImVec2 screen : {ImVec2(800, 600), ImVec2(1280, 720), ImVec2(1600, 900), ImVec2(3840, 2160)}) {
        for (const double wanted : {1., 1.5, 2.}) {
            const double scale = fittingScale(wanted, screen, settings.panels);
            INFO(screen.x << " x " << screen.y << " at " << wanted << ": " << scale);
            CHECK(scale <= wanted);
            if (screen.x >= 1280 * wanted && screen.y >= 720 * wanted) CHECK(scale == wanted);
            const Layout layout = layOut(screen, static_cast<float>(scale), settings);
            const auto logical = [&](float pixels) { return static_cast<double>(pixels) / scale; };
            for (const Rect& part : {layout.demos, layout.parameters, layout.plots, layout.analysis}) {
                CHECK(logical(part.width) >= 300);
                CHECK(logical(part.height) >= 160);
            }
            CHECK(logical(layout.plots.width) >= 400);
            CHECK(logical(layout.view.width) >= 370);
            CHECK(layout.timeline.isShown());
            CHECK(layout.status.isShown());
        }
    }
    settings.panels.all = false;
    CHECK(fittingScale(2, {800, 600}, settings.panels) == 2);
}

TEST_CASE("all plots that are shown at the start are in sight, of one height, where the smallest window is") {
    for (const ImVec2 screen : {ImVec2(1100, 720), ImVec2(1280, 720), ImVec2(1600, 900)}) {
        CAPTURE(screen.x, screen.y);
        Person person;
        ImGui::GetIO().DisplaySize = screen;
        person.frames(4);
        int plots = 0;
        for (const ImGuiWindow* window : GImGui->Windows) {
            if (!window->WasActive || std::string(window->Name).find("plots/plots") == std::string::npos) continue;
            ++plots;
            CHECK(window->ScrollMax.y == 0);
        }
        CHECK(plots == 1);
    }
}

TEST_CASE("long names of parameters and elements are shown whole beside their fields") {
    for (const char* scene : {"suspension", "mounts", "creep", "gear_backlash", "preload"}) {
        Person person(scene);
        for (std::size_t element = 0; element < person.session.elements().size(); ++element) {
            person.workspace.select(static_cast<int>(element));
            person.frames(3);
            ImGuiContext& context = *GImGui;
            for (int i = 0; i < context.Tables.GetMapSize(); ++i) {
                const ImGuiTable* table = context.Tables.TryGetMapData(i);
                if (table == nullptr || table->ColumnsCount != 3 || table->LastFrameActive < context.FrameCount)
                    continue;
                const ImGuiTableColumn& name = table->Columns[0];
                INFO(scene << ", element " << element << ", table " << i);
                CHECK(name.ContentMaxXUnfrozen <= name.WorkMaxX + 1);
            }
        }
    }
}

TEST_CASE("the timeline asks for the tick under the mouse") {
    Person person;
    person.run(1200);  // 5 s
    person.frames(2);
    const Rect rect = person.workspace.layout().timeline;
    const float y = rect.bottom() - 30;
    person.click(rect.left + 10 + (rect.width - 20) * 0.2f, y);
    REQUIRE(person.requests.time);
    const double tick = *person.requests.time / person.session.tickLength();
    CHECK(*person.requests.time == Approx(2).margin(0.05));
    CHECK(tick == Approx(std::round(tick)).margin(1e-9));
    person.click(rect.right() - 12, y);  // beyond what is recorded
    CHECK(*person.requests.time == Approx(person.session.time()));
}

TEST_CASE("the timeline has a band as long as the ticks that were not exact") {
    /// What of a colour is drawn in the lower half of the timeline, from left to right, in its widths.
    const auto band = [](Person& person, ImU32 color) {
        person.frames(2);
        const Rect rect = person.workspace.layout().timeline;
        std::vector<float> places;
        const ImDrawData& drawn = *ImGui::GetDrawData();
        for (int i = 0; i < drawn.CmdListsCount; ++i) {
            for (const ImDrawVert& vertex : drawn.CmdLists[i]->VtxBuffer) {
                const bool isInside = vertex.pos.y > rect.top + rect.height / 2 && vertex.pos.y < rect.bottom();
                if (vertex.col == color && isInside) places.push_back((vertex.pos.x - rect.left) / rect.width);
            }
        }
        std::sort(places.begin(), places.end());
        return places;
    };
    const Palette& palette = paletteOf(Theme::Dark);
    {
        Person exact;
        exact.run(600);
        CHECK(band(exact, palette.warning).empty());
    }
    Person person("coupled/pile_1");
    person.run(720);  // 3 s of the 10 s that the track shows
    const std::vector<play::GradeSpan>& spans = person.session.history().inexact();
    REQUIRE_FALSE(spans.empty());
    const std::vector<float> places = band(person, palette.warning);
    REQUIRE_FALSE(places.empty());
    // The track has margins beside it: 1 % of its width.
    CHECK(places.front() == Approx(static_cast<double>(spans.front().first - 1) / 2400).margin(0.015));
    CHECK(places.back() == Approx(static_cast<double>(spans.back().last) / 2400).margin(0.015));
    CHECK(band(person, palette.bad).empty());
}

TEST_CASE("buttons ask for what their keys do") {
    Person person;
    person.run(10);
    person.frames(2);
    const Rect rect = person.workspace.layout().timeline;
    for (float x = rect.left; x < rect.left + 200; x += 12) person.click(x, rect.top + 20);
    for (const Action action : {Action::Restart, Action::TickBack, Action::PlayOrPause, Action::TickForward,
                                Action::ToEnd, Action::ToWorst}) {
        INFO(textOf(action));
        CHECK(person.asked(action));
    }
}

TEST_CASE("a click in the list opens a demo") {
    Person person;
    person.frames(2);
    const Rect rect = person.workspace.layout().demos;
    for (float y = rect.top + 70; y < rect.top + 160; y += 8) person.click(rect.left + 60, y);
    CHECK(person.requests.demo == "backlash");
}

TEST_CASE("a refused edit says why once, in its panel, and time goes on") {
    Person person;
    person.run(50);
    person.frames(2);
    const Rect rect = person.workspace.layout().parameters;
    const int element = person.workspace.element();
    const auto badIn = [&](const Rect& part) {
        int count = 0;
        const ImDrawData& drawn = *ImGui::GetDrawData();
        for (int i = 0; i < drawn.CmdListsCount; ++i) {
            for (const ImDrawVert& vertex : drawn.CmdLists[i]->VtxBuffer) {
                const bool isThere = vertex.pos.x > part.left && vertex.pos.x < part.right() &&
                                     vertex.pos.y > part.top && vertex.pos.y < part.bottom();
                count += isThere && vertex.col == person.workspace.palette().bad ? 1 : 0;
            }
        }
        return count;
    };
    // n = 1 is the least exponent: Ctrl + click in its field, and -5.
    for (float y = rect.top; y < rect.bottom() && badIn(rect) == 0; y += 9) {
        person.moveTo(rect.left + rect.width * 0.5f, y);
        ImGui::GetIO().KeyCtrl = true;
        person.interface.press(0);
        person.frame();
        person.interface.release(0);
        person.frame();
        ImGui::GetIO().KeyCtrl = false;
        if (!ImGui::GetIO().WantTextInput) continue;
        for (const char letter : {'-', '5'}) ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
        person.frame();
        person.click(rect.right() - 3, rect.bottom() - 3);  // the focus goes elsewhere: the value counts
        if (person.session.parameter(element, "s_rel0") == -5) person.session.undo();
    }
    CHECK(badIn(rect) > 50);
    CHECK(badIn(person.workspace.view()) == 0);
    CHECK_FALSE(person.requests.pause);
    CHECK_FALSE(person.workspace.hasTopLayer(person.session));
    for (const char* symbol : {"c", "d", "n", "s_ref"}) {
        CHECK(person.session.parameter(element, symbol) == person.session.startParameter(element, symbol));
    }
}

TEST_CASE("a refusal names the field, the number and what is allowed") {
    CHECK(whyNot(60, rateShape("%.6g")).empty());
    CHECK(whyNot(0, rateShape("%.6g")) == "Tick rate = 0 Hz is not allowed; it must be from 1 to 1e+06 Hz");
    CHECK(whyNot(1e9, rateShape("%.6g")) == "Tick rate = 1e+09 Hz is not allowed; it must be from 1 to 1e+06 Hz");
    const NumberShape whole{.range = {1, 32}, .name = "Ticks", .allowed = {1, 32}, .isWhole = true};
    CHECK(whyNot(1.5, whole) == "Ticks = 1.5 is not allowed; it must be a whole number from 1 to 32");
    CHECK(whyNot(-1, whole) == "Ticks = -1 is not allowed; it must be a whole number from 1 to 32");
    CHECK(whyNot(-1e300, {.range = {0, 1}, .name = "free"}).empty());
}

TEST_CASE("a mark says that time slows down at hits") {
    Person person;
    person.run(10);
    person.frames(2);
    const auto marks = [&] {
        const Rect rect = person.workspace.layout().status;
        int count = 0;
        const ImDrawData& drawn = *ImGui::GetDrawData();
        for (int i = 0; i < drawn.CmdListsCount; ++i) {
            for (const ImDrawVert& vertex : drawn.CmdLists[i]->VtxBuffer) {
                count += vertex.pos.y > rect.top && vertex.col == person.workspace.palette().accent ? 1 : 0;
            }
        }
        return count;
    };
    CHECK(marks() == 0);
    CHECK(person.workspace.perform(Action::LookInside, person.session));
    CHECK_FALSE(person.workspace.notices().empty());
    person.input.figures.slowsAtHits = person.settings.lookInside;
    person.frames(2);
    CHECK(marks() > 20);
}

TEST_CASE("trouble names its element and the ways back") {
    Person person;
    person.run(50);
    // Something outside spoils a body: the next tick cannot be done.
    const btScalar nan = std::numeric_limits<btScalar>::quiet_NaN();
    for (std::size_t i = 0; i < person.session.world().bodies(); ++i) {
        if (!person.session.isBall(i)) person.session.world().body(i).setLinearVelocity({nan, nan, nan});
    }
    CHECK_FALSE(person.session.step());
    REQUIRE(person.session.trouble());
    person.frames(3);
    CHECK(person.workspace.hasTopLayer(person.session));
    CHECK(verticesOfColor(person.workspace.palette().bad) > 8);
    const Rect view = person.workspace.view();
    for (float y = view.middle().y - 80; y < view.middle().y + 120 && !person.requests.time; y += 8) {
        person.click(view.middle().x - 150, y);
    }
    REQUIRE(person.requests.time);
    person.session.seek(std::lround(*person.requests.time / person.session.tickLength()));
    CHECK_FALSE(person.session.trouble());
    person.frame();
    CHECK_FALSE(person.workspace.hasTopLayer(person.session));
}

TEST_CASE("the oscilloscope shows an impact and holds it") {
    NullInterface interface(600, 500);
    play::Session session(asset("drop_c1e6_d5"));
    OscilloscopePanel panel;
    Requests requests;
    int element = 0;
    const Playback playback;
    const auto frame = [&] {
        const Context context{session, paletteOf(Theme::Dark), playback, session.time(), element, requests};
        interface.frame([&] { panel.draw(context); });
    };
    frame();
    REQUIRE(session.scope());
    double peak = 0;
    bool wasThere = false;
    for (int i = 0; i < 600; ++i) {
        REQUIRE(session.step());
        frame();
        const std::vector<play::ScopeEvent> events = session.scope()->latest().events();
        const bool isThere =
            std::any_of(events.begin(), events.end(), [](const play::ScopeEvent& event) { return event.begins; });
        if (wasThere && !isThere) break;
        wasThere = isThere;
        if (!isThere) continue;
        // What is drawn reaches the peak that the scope has found inside the tick.
        peak = session.scope()->latest().peak()->force.f;
        const Curve& force = panel.force();
        const auto range = force.extremes(0, force.size());
        REQUIRE(range);
        CHECK(force.y(range->lowest) == peak);
    }
    REQUIRE(wasThere);
    CHECK(peak < 0);
    CHECK(panel.peak() == peak);  // still in sight when the scope has moved on
    CHECK(std::abs(session.scope()->latest().peak()->force.f) < std::abs(peak));
    // Going back shows what is there.
    session.seek(1);
    frame();
    CHECK(panel.peak() == session.scope()->latest().peak()->force.f);
}

TEST_CASE("themes, sizes and panels change by keys and are kept") {
    Person person;
    person.frame();
    CHECK(person.workspace.perform(Action::SwitchTheme, person.session));
    CHECK(person.settings.theme == Theme::Light);
    CHECK(person.workspace.perform(Action::LargerText, person.session));
    CHECK(person.settings.scale == Approx(1.1));
    CHECK(person.workspace.perform(Action::NormalText, person.session));
    CHECK(person.settings.scale == 0);
    CHECK(person.workspace.perform(Action::TogglePanels, person.session));
    person.frame();
    CHECK(person.requests.areSettingsChanged);
    CHECK(person.workspace.view().width == 1600);
    CHECK_FALSE(person.workspace.perform(Action::PlayOrPause, person.session));
    CHECK_FALSE(person.workspace.perform(Action::ThrowBody, person.session));
}

TEST_CASE("a border between panels can be dragged") {
    Person person;
    person.frames(2);
    const Rect view = person.workspace.view();
    person.drag(view.left, 300, view.left + 60, 300);
    CHECK(person.settings.leftWidth == Approx(Settings().leftWidth + 60).margin(2));
    CHECK(person.requests.areSettingsChanged);
    person.drag(view.right(), 300, view.right() - 40, 300);
    CHECK(person.settings.rightWidth == Approx(Settings().rightWidth + 40).margin(2));
}

TEST_CASE("plots are saved as tables") {
    const test::TemporaryFolder folder;
    Person person;
    person.input.exportFile = [&](const std::string& name, const char* ending) {
        return folder.path() / (name + ending);
    };
    person.run(100);
    person.frames(2);
    const Rect rect = person.workspace.layout().plots;
    // The buttons stand at the right end of each plot's heading while the mouse is near.
    for (float y = rect.top + 60; y < rect.bottom() && folder.fileCount() == 0; y += 7) {
        for (float x = rect.right() - 80; x < rect.right() - 10; x += 12) person.click(x, y);
    }
    CHECK(folder.fileCount() >= 1);
    REQUIRE(person.requests.picture);
    CHECK(person.requests.picture->size.x >= 1200);
    CHECK(person.requests.picture->list->VtxBuffer.Size > 500);
    CHECK_FALSE(person.workspace.notices().empty());
    for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
        const std::string head = test::readText(file.path()).substr(0, 200);
        INFO(file.path());
        CHECK(head.find("\"time [s]\"") == 0);
        const bool isEnergy = file.path().filename().string().find("energy") != std::string::npos;
        CHECK(head.find(isEnergy ? "\"energy [J]\"" : "\"elastoGap") != std::string::npos);
    }
}

TEST_CASE("every shipped scene can be shown") {
    for (const char* scene : {"elasto_gap", "backlash", "gap_laws", "gear_backlash", "heat_losses_3d", "newton_cradle",
                              "preload", "suspension", "creep", "swing_c1e5", "tumbling_box"}) {
        INFO(scene);
        Person person(scene);
        for (const Analysis analysis : {Analysis::Law, Analysis::Oscilloscope, Analysis::Loop, Analysis::Comparison}) {
            person.settings.analysis = analysis;
            person.run(20);
            person.frames(2);
            CHECK(ImGui::GetDrawData()->TotalVtxCount > 1000);
        }
    }
}
