//! Names, models, traces, requirements and files that try to become markup.

use crate::support::Site;

const EVIL: &str = "<script>alert(1)</script>";

/// Names of processes and variables cannot contain markup; strings, comments and words can.
const FILES: &[(&str, &str)] = &[
    (
        "crossing.pml",
        "/* <script>alert(1)</script> */\nbool has_sensor, crossing;\nmtype = { ok };\nactive proctype p() {\n    printf(\"<script>alert(1)</script>\\n\");\n    crossing = true\n}\n",
    ),
    (
        "properties/safety.md",
        "+++\nname = \"uncrossed\"\nreference = \"crossing.md#safety\"\nformula = \"[] !crossing\"\ntags = [\"<script>alert(1)</script>\", \"\\\"><img src=x onerror=alert(1)>\"]\n+++\n\n<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=alert(1)>\n",
    ),
    (
        "properties/closes.md",
        "+++\nname = \"closes\"\ntimeline = \"closes.tl\"\n+++\n\n`<script>alert(1)</script>`\n",
    ),
    (
        "timelines/closes.tl",
        "# <script>alert(1)</script>\ne begun = !crossing\nt seen = {crossing && has_sensor == has_sensor}\n",
    ),
    (
        "requirements/crossing.md",
        "# Level <script>alert(1)</script>\n\n## Safety\n\n<script>alert(1)</script>\n\n<iframe src=//evil.org></iframe>\n\n![x](https://evil.org/x.png)\n\n<a href=\"javascript:alert(1)\">x</a>\n",
    ),
    ("requirements/<img src=x onerror=alert(1)>.md", "# \"><script>alert(1)</script>\n\ntext\n"),
    ("requirements/plain.txt", "1 <script>alert(1)</script>\n\ntext\n"),
];

#[test]
fn no_text_of_a_project_becomes_markup() {
    let site = Site::of(FILES, true);
    let snapshot = site.app.snapshot();
    assert_eq!(snapshot.errors(), 0, "{:?}", snapshot.problems);
    let (round, run) =
        snapshot.runs_of("uncrossed").next().and_then(|run| run.known.place).expect("a verdict");
    let evil_file = "/requirements/requirements/%3Cimg%20src=x%20onerror=alert(1)%3E.md";
    let paths = [
        "/".to_string(),
        "/properties".to_string(),
        format!("/properties?q={}", crate::support::encoded("\"><script>alert(1)</script>")),
        format!("/properties?feature={0}&state={0}&tag={0}", crate::support::encoded(EVIL)),
        "/properties/uncrossed".to_string(),
        "/properties/closes".to_string(),
        "/properties/uncrossed/edit".to_string(),
        "/properties/new".to_string(),
        "/requirements".to_string(),
        "/requirements/requirements/crossing.md".to_string(),
        "/requirements/requirements/plain.txt".to_string(),
        evil_file.to_string(),
        "/source/crossing.pml".to_string(),
        "/source/requirements/%3Cimg%20src=x%20onerror=alert(1)%3E.md".to_string(),
        "/model".to_string(),
        format!("/rounds/{round}"),
        format!("/rounds/{round}/runs/{run}"),
        format!("/rounds/{round}/runs/{run}/first"),
        "/properties/%3Cscript%3Ealert(1)%3C%2Fscript%3E".to_string(),
    ];
    for path in paths {
        let text = site.get(&path).text;
        let text = text.replace("<script type=\"module\" src=\"/assets/", "");
        for tag in ["<script", "<img", "<iframe", "<a href=\"javascript"] {
            assert!(!text.to_lowercase().contains(tag), "{path}: {tag} in {text}");
        }
    }
}

#[test]
fn errors_in_a_hostile_project_are_escaped() {
    let manifest = "name = \"<script>alert(1)</script>\"\n\"<img src=x onerror=alert(1)>\" = 1\n";
    let site = Site::of(&[("axle.toml", manifest)], false);
    for path in ["/", "/model"] {
        let text = site.get(path).text.replace("<script type=\"module\" src=\"/assets/", "");
        assert!(!text.contains("<script") && !text.contains("<img"), "{path}: {text}");
        assert!(text.contains("&#60;img") || text.contains("&lt;img"), "the error is shown: {text}");
    }
}
