#include "complete_scene.h"

using nlohmann::json;

json completeScene() {
    return json::parse(R"({
  "$schema": "../schema/scene.schema.json",
  "elasto": 1, "name": "complete", "description": "every field once",
  "gravity": [0.5, -9, 0.25], "rate": 120, "duration": 3.5, "solverIterations": 20, "flight": "bullet",
  "bodies": [
    {"name": "box", "motion": "dynamic", "mass": 2, "inertia": [0.1, 0.2, 0.3], "centreOfMass": [0.01, 0.02, 0.03],
     "position": [1, 2, 3], "orientation": [0.6, 0, 0, 0.8], "velocity": [4, 5, 6], "angularVelocity": [7, 8, 9],
     "linearFactor": [1, 0.5, 1], "angularFactor": [0.25, 1, 1], "gyroscopic": false, "linearDamping": 0.125,
     "angularDamping": 0.25, "sleeping": true, "shape": {"type": "box", "size": [0.1, 0.2, 0.3]},
     "friction": 0.75, "rollingFriction": 0.01, "spinningFriction": 0.02, "restitution": 0.5},
    {"name": "ball", "mass": 1, "inertia": [1, 1, 1], "position": [5, 0, 0], "shape": {"type": "sphere", "radius": 0.2}},
    {"name": "can", "mass": 1, "inertia": [1, 1, 1], "position": [7, 0, 0],
     "shape": {"type": "cylinder", "radius": 0.3, "length": 0.4, "axis": "x"}},
    {"name": "pill", "mass": 1, "angularFactor": [0, 0, 0], "position": [9, 0, 0],
     "shape": {"type": "capsule", "radius": 0.3, "length": 0.4, "axis": "z"}},
    {"name": "floor", "motion": "fixed", "position": [0, -2, 0], "orientation": [0, 0, 0, 1],
     "shape": {"type": "plane", "normal": [0, 0, 1]}, "friction": 0.25, "rollingFriction": 0.03,
     "spinningFriction": 0.04, "restitution": 0.125},
    {"name": "lift", "motion": "kinematic",
     "path": [{"time": 0, "position": [0, 0, 4]}, {"time": 1, "position": [0, 1, 4], "orientation": [0, 0.6, 0, 0.8]}],
     "shape": {"type": "none"}, "friction": 0.5, "rollingFriction": 0, "spinningFriction": 0, "restitution": 0},
    {"name": "arm", "mass": 1, "inertia": [1, 1, 1], "centreOfMass": [0.5, 0, 0], "position": [20, 0, 0]},
    {"name": "rod", "mass": 1, "inertia": [1, 1, 1], "position": [21, 0, 0], "orientation": [0, 0, 0.6, 0.8]},
    {"name": "block", "mass": 1, "inertia": [1, 1, 1], "position": [20.25, 2, 0]},
    {"name": "tool", "mass": 1, "inertia": [1, 1, 1], "position": [20.25, 3, 0]},
    {"name": "mount", "mass": 1, "inertia": [1, 1, 1], "position": [30, 0, 0]},
    {"name": "hills", "motion": "fixed", "position": [40, 0, 0], "shape": {"type": "heightField", "axis": "z",
     "spacing": [0.5, 0.25], "heights": [[0, 0.1, 0.2], [0.3, 0.4, 0.5]]}},
    {"name": "roof", "motion": "fixed", "position": [50, 0, 0], "shape": {"type": "mesh",
     "points": [[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]], "triangles": [[0, 1, 2], [1, 3, 2]]}},
    {"name": "found", "motion": "fixed", "position": [60, 0, 0], "shape": {"type": "mesh", "scale": [1, 2, 1],
     "file": ")" ELASTO_SOURCE_DIR R"(/tests/data/roof.obj"}}
  ],
  "joints": [
    {"name": "shoulder", "type": "hinge", "frame_a": {"body": "world", "position": [20, 0, 0], "orientation": [0, 0, 0.6, 0.8]},
     "frame_b": {"body": "arm", "position": [0, 0, 0], "orientation": [0, 0, 0, 1]}, "axis": [0, 0, 1],
     "limits": {"lower": -1.5, "upper": 2, "restitution": 0.25}, "motor": {"velocity": -2, "maxTorque": 20}},
    {"name": "elbow", "type": "ball", "frame_a": {"body": "arm", "position": [1, 0, 0]},
     "frame_b": {"body": "rod", "position": [0, 0, 0]}},
    {"name": "guide", "type": "slider", "frame_a": {"body": "world", "position": [20, 2, 0], "orientation": [0, 0, 0, 1]},
     "frame_b": {"body": "block", "position": [0, 0, 0], "orientation": [0, 0, 0, 1]}, "axis": [1, 0, 0],
     "limits": {"lower": -0.5, "upper": 0.5, "restitution": 0.5}, "motor": {"velocity": 0.125, "maxForce": 30}},
    {"name": "clamp", "type": "fixed",
     "frame_a": {"body": "block", "position": [0, 0.5, 0], "orientation": [0, 0, 0, 1]},
     "frame_b": {"body": "tool", "position": [0, -0.5, 0], "orientation": [0, 0, 0, 1]}}
  ],
  "elements": [
    {"name": "gap", "type": "ElastoGap", "geometry": "axis",
     "frame_a": {"body": "world", "position": [0, 1, 0]}, "frame_b": {"body": "box", "position": [0.1, 0, 0]},
     "axis": [0, 1, 0], "c": 100, "d": 3, "s_rel0": 0.5, "n": 1.5, "s_ref": 0.25, "characteristic": "noPull",
     "start": {"s_rel": 1.5, "v_rel": 0.5}, "heatPort": "port",
     "animation": {"animation": false, "length_a": 0.2, "diameter_a": 0.3, "diameter_b": 0.4, "color_a": [1, 2, 3],
                   "color_b": [4, 5, 6], "specularCoefficient": 0.5, "width": 0.6, "coilWidth": 0.07,
                   "numberOfWindings": 8, "color": [7, 8, 9]}},
    {"name": "bumper", "type": "ElastoGap", "geometry": "line", "frame_a": {"body": "ball"}, "frame_b": {"body": "can"},
     "c": 100, "d": 3, "s_rel0": 0.1, "characteristic": "lankaraniNikravesh", "T": 300, "s_small": 1e-9},
    {"name": "lash", "type": "ElastoBacklash", "geometry": "rotation",
     "frame_a": {"body": "floor", "orientation": [0, 0, 0.6, 0.8]}, "frame_b": {"body": "ball", "orientation": [0, 0, 0, 1]},
     "axis": [0, 0, 1], "c": 10, "d": 0.5, "b": 0.1, "phi_rel0": 0.2, "characteristic": "linear",
     "start": {"phi_rel": 7, "w_rel": 0.5}, "heatPort": "port", "animation": {}},
    {"name": "lash2", "type": "ElastoBacklash2", "geometry": "rotation", "frame_a": {"body": "world"},
     "frame_b": {"body": "can"}, "axis": [1, 0, 0], "c": 10, "d": 0.5, "b": 0.1, "phi_rel0": 0.2,
     "start": {"w_rel": 0}, "heatPort": "port", "animation": {}},
    {"name": "series", "type": "SpringDamperSeries", "geometry": "axis", "frame_a": {"body": "world"},
     "frame_b": {"body": "can"}, "axis": [0, 0, 1], "c": 10, "d": 0.5, "s_unstretched": 0.1, "s_damper_start": 0.2,
     "start": {"s_rel": 0.3, "v_rel": 0, "s_damper": 0.2}, "heatPort": "port", "animation": {}},
    {"name": "spring", "type": "Spring", "geometry": "axis", "frame_a": {"body": "lift"}, "frame_b": {"body": "pill"},
     "axis": [0, 1, 0], "c": 10, "s_unstretched": 0.1, "start": {"v_rel": -1}, "heatPort": "port", "animation": {}},
    {"name": "damper", "type": "Damper", "geometry": "axis", "frame_a": {"body": "world"}, "frame_b": {"body": "pill"},
     "axis": [0, 0, 1], "d": 0.5, "d_rebound": 0.7, "start": {"s_rel": 1}, "heatPort": "port", "animation": {}},
    {"name": "parallel", "type": "SpringDamperParallel", "geometry": "axis", "frame_a": {"body": "pill"},
     "frame_b": {"body": "world"}, "axis": [1, 0, 0], "c": 10, "d": 0.5, "d_rebound": 0.7, "s_unstretched": 0.1, "start": {},
     "heatPort": "port", "animation": {}},
    {"name": "springDamper", "type": "SpringDamper", "geometry": "axis", "frame_a": {"body": "world"},
     "frame_b": {"body": "pill"}, "axis": [1, 0, 0], "c": 10, "d": 0.5, "d_rebound": 0.7, "s_rel0": 0.1, "start": {},
     "heatPort": "port", "animation": {}},
    {"name": "torsion", "type": "RotationalSpringDamper", "geometry": "rotation", "frame_a": {"body": "world"},
     "frame_b": {"body": "box"}, "axis": [0, 1, 0], "c": 10, "d": 0.5, "d_rebound": 0.7, "phi_rel0": 0.1, "start": {},
     "heatPort": "port", "animation": {}},
    {"name": "bushing", "type": "Bushing", "geometry": "line", "frame_a": {"body": "world", "position": [28, 0, 0]},
     "frame_b": {"body": "mount"}, "c": 10, "d": 0.5, "c_slip": 20, "f_slip": 2, "s_rel0": 0.1,
     "s_slip_start": 0.05, "start": {"s_rel": 2.5, "v_rel": 0.5, "s_slip": 0.05}, "heatPort": "port", "animation": {}},
    {"name": "joint", "type": "RotationalBushing", "geometry": "rotation", "frame_a": {"body": "world"},
     "frame_b": {"body": "mount"}, "axis": [0, 1, 0], "c": 10, "d": 0.5, "c_slip": 20, "tau_slip": 2, "phi_rel0": 0.1,
     "phi_slip_start": 0.05, "start": {"phi_rel": 0.1, "w_rel": 0.2, "phi_slip": 0.05}, "heatPort": "port", "animation": {}},
    {"name": "bump", "type": "BumpStop", "geometry": "axis", "frame_a": {"body": "world"},
     "frame_b": {"body": "pill"}, "axis": [1, 0, 0], "table": [[0, 0], [0.1, 5]], "d": 0.5, "s_rel0": 0.1, "start": {},
     "heatPort": "port", "animation": {}},
    {"name": "rub", "type": "SupportFriction", "geometry": "axis", "frame_a": {"body": "world"},
     "frame_b": {"body": "pill"}, "axis": [1, 0, 0], "F_Coulomb": 3, "F_prop": 0.5, "F_Stribeck": 1, "fexp": 2, "peak": 1.1,
     "s_min": -9, "s_max": 9,
     "f_normalized": {"type": "sine", "frequency": 2, "phase": 0.5, "offset": 0.25, "startTime": 1}, "start": {},
     "heatPort": "port", "animation": {}},
    {"name": "bearing", "type": "BearingFriction", "geometry": "rotation", "frame_a": {"body": "world"},
     "frame_b": {"body": "box"}, "axis": [0, 1, 0], "tau_Coulomb": 3, "tau_prop": 0.5, "tau_Stribeck": 1, "wexp": 2,
     "peak": 1.1, "phi_min": -9, "phi_max": 9, "f_normalized": {"type": "table", "points": [[0, 1], [1, 0.5]]}, "start": {}, "heatPort": "port",
     "animation": {}},
    {"name": "clutch", "type": "BearingFriction", "frame_a": {"body": "world"}, "frame_b": {"body": "box"},
     "tau_Coulomb": 3, "f_normalized": {"type": "constant", "startTime": 0.5, "endTime": 2.5}},
    {"name": "mesh", "type": "ElastoBacklash", "frame_a": {"body": "rod"}, "frame_b": {"body": "tool"}, "c": 10, "d": 0.5,
     "gear": {"ratio": -2.5, "carrier": "arm", "axis_b": [0, 0.6, 0.8]}},
    {"name": "rope", "type": "Rope", "geometry": "line", "frame_a": {"body": "world", "position": [28, 0, 0]},
     "frame_b": {"body": "mount"}, "c": 10, "d": 0.5, "s_unstretched": 2, "n": 1.5, "s_ref": 0.5, "f_max": 20,
     "s_slip_start": 0.05, "start": {"s_rel": 2.5, "v_rel": 0.5, "s_slip": 0.05}, "heatPort": "port", "animation": {}},
    {"name": "angleStop", "type": "RotationalElastoGap", "geometry": "rotation", "frame_a": {"body": "world"},
     "frame_b": {"body": "mount"}, "axis": [0, 1, 0], "c": 10, "d": 0.5, "phi_rel0": 0.3, "n": 1.5, "phi_ref": 0.5,
     "characteristic": "noPull", "start": {"phi_rel": 0.1, "w_rel": 0.2}, "heatPort": "port", "animation": {}}
  ],
  "loads": [
    {"name": "push", "body": "box", "type": "constant", "force": [1, 2, 3], "startTime": 0.5, "endTime": 2.5,
     "point": [0.1, 0.2, 0.3], "resolveInFrame": "body"},
    {"name": "twist", "body": "box", "type": "constant", "torque": [1, 2, 3]},
    {"name": "shake", "body": "ball", "type": "sine", "force": [1, 2, 3], "frequency": 2, "phase": 0.5, "offset": 0.25,
     "startTime": 1},
    {"name": "stir", "body": "ball", "type": "sine", "torque": [1, 2, 3], "frequency": 0},
    {"name": "step", "body": "can", "type": "table", "force": [1, 2, 3], "points": [[0, 1], [1, -1]]},
    {"name": "turn", "body": "can", "type": "table", "torque": [1, 2, 3], "points": [[0.5, 2]]},
    {"name": "file", "body": "can", "type": "table", "torque": [1, 2, 3],
     "points": {"file": ")" ELASTO_SOURCE_DIR R"(/tests/data/tables/steps.txt", "table": "steps", "column": 3}}
  ],
  "heatPorts": [{"name": "port", "conductance": 10, "ambientTemperature": 300}],
  "record": ["gap.*", {"signal": "box.r_0[1]", "as": "box.s"}]
})");
}

json smallScene() {
    return json::parse(R"({
  "elasto": 1, "name": "small",
  "bodies": [
    {"name": "mass1", "mass": 1, "inertia": [1, 1, 1], "position": [1, 0, 0]},
    {"name": "mass2", "mass": 1, "inertia": [1, 1, 1], "position": [4, 3, 0]},
    {"name": "wall", "motion": "fixed", "position": [10, 0, 0]}
  ],
  "elements": [
    {"name": "gap1", "type": "ElastoGap", "frame_a": {"body": "world"}, "frame_b": {"body": "mass1"}, "c": 10, "d": 1},
    {"name": "gap2", "type": "ElastoGap", "frame_a": {"body": "mass1"}, "frame_b": {"body": "wall"}, "c": 10, "d": 1},
    {"name": "spring", "type": "Spring", "frame_a": {"body": "mass1"}, "frame_b": {"body": "mass2"}, "c": 10}
  ]
})");
}

std::string refusal(const std::string& text) {
    try {
        elasto::parseScene(text, "test");
    } catch (const elasto::SceneError& error) {
        return error.what();
    }
    return "";
}

std::string refusal(const json& document) {
    return refusal(document.dump());
}
