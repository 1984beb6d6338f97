//! Drawing onto a backend that records, so that a plot's marks can be counted and placed without a bitmap.

use std::{cell::RefCell, rc::Rc};

use plotters::prelude::*;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind,
};

use super::*;

#[derive(Debug, Default, Clone)]
struct Log {
    texts: Vec<(String, BackendCoord)>,
    circles: Vec<(BackendCoord, u32)>,
    paths: Vec<Vec<BackendCoord>>,
    rects: Vec<(BackendCoord, BackendCoord)>,
}

#[derive(Debug, thiserror::Error)]
#[error("never")]
struct Never;

struct Recorder {
    size: (u32, u32),
    log: Rc<RefCell<Log>>,
}

type Done = Result<(), DrawingErrorKind<Never>>;

impl DrawingBackend for Recorder {
    type ErrorType = Never;
    fn get_size(&self) -> (u32, u32) {
        self.size
    }
    fn ensure_prepared(&mut self) -> Done {
        Ok(())
    }
    fn present(&mut self) -> Done {
        Ok(())
    }
    fn draw_pixel(&mut self, _: BackendCoord, _: BackendColor) -> Done {
        Ok(())
    }
    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        _: &S,
    ) -> Done {
        self.log.borrow_mut().paths.push(path.into_iter().collect());
        Ok(())
    }
    fn draw_line<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, _: &S) -> Done {
        self.log.borrow_mut().paths.push(vec![a, b]);
        Ok(())
    }
    fn draw_rect<S: BackendStyle>(
        &mut self,
        a: BackendCoord,
        b: BackendCoord,
        _: &S,
        _: bool,
    ) -> Done {
        self.log.borrow_mut().rects.push((a, b));
        Ok(())
    }
    fn draw_circle<S: BackendStyle>(
        &mut self,
        at: BackendCoord,
        radius: u32,
        _: &S,
        _: bool,
    ) -> Done {
        self.log.borrow_mut().circles.push((at, radius));
        Ok(())
    }
    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, _: &S, at: BackendCoord) -> Done {
        self.log.borrow_mut().texts.push((text.to_owned(), at));
        Ok(())
    }
}

fn theme(scale: f64) -> Theme {
    let grey = RGBColor(120, 120, 120);
    Theme {
        ink: grey,
        muted: grey,
        rule: grey,
        band: grey,
        paper: grey,
        series: [grey; SLOTS],
        family: "system-ui".into(),
        scale,
    }
}

fn reliability(scale: f64, dots: Vec<Dot>) -> Log {
    let log = Rc::new(RefCell::new(Log::default()));
    let size = (theme(scale).stroke(400.0), theme(scale).stroke(400.0));
    let spec = ReliabilitySpec { series: vec![DotSeries { label: "a".into(), slot: 0, dots }] };
    let area = Recorder { size, log: log.clone() }.into_drawing_area();
    draw_reliability(&area, &spec, &theme(scale)).unwrap();
    drop(area);
    log.take()
}

fn dot(predicted: f64, observed: f64, weight: f64) -> Dot {
    Dot { predicted, observed, lower: observed - 0.1, upper: observed + 0.1, weight }
}

#[test]
fn a_calibrated_dot_lies_on_the_diagonal() {
    let log = reliability(1.0, vec![dot(0.0, 0.0, 0.5), dot(1.0, 1.0, 0.5)]);
    // The dashes begin at (0, 0) of the plot and end at (1, 1), where the two dots are.
    let slanted: Vec<_> =
        log.paths.iter().filter(|p| p[0].0 != p[1].0 && p[0].1 != p[1].1).collect();
    assert_eq!(slanted[0][0], log.circles[0].0);
    let end = slanted.last().unwrap()[1];
    let corner = log.circles[1].0;
    assert!((end.0 - corner.0).abs() <= 5 && (end.1 - corner.1).abs() <= 5, "{end:?} {corner:?}");
}

#[test]
fn the_area_of_a_dot_is_its_weight() {
    let log = reliability(4.0, vec![dot(0.2, 0.2, 0.2), dot(0.8, 0.8, 0.8)]);
    let area = |i: usize| f64::from(log.circles[i].1).powi(2);
    assert!((area(1) / area(0) - 4.0).abs() < 0.3, "{:?}", log.circles);
}

#[test]
fn twice_the_pixel_ratio_draws_the_same_plot_twice_as_large() {
    let dots = vec![dot(0.3, 0.4, 1.0)];
    let (one, two) = (reliability(1.0, dots.clone()), reliability(2.0, dots));
    assert_eq!(one.texts.len(), two.texts.len());
    let (a, b) = (one.circles[0], two.circles[0]);
    assert!((b.0.0 - 2 * a.0.0).abs() <= 1 && (b.0.1 - 2 * a.0.1).abs() <= 1);
    assert_eq!(b.1, 2 * a.1);
}

#[test]
fn values_outside_the_plot_are_held_at_its_edge() {
    let log = reliability(1.0, vec![dot(7.0, -3.0, 9.0), dot(f64::NAN, 0.5, f64::NAN)]);
    for (at, _) in log.circles {
        assert!((0..=400).contains(&at.0) && (0..=400).contains(&at.1), "{at:?}");
    }
}

#[test]
fn whiskers_stand_in_order_and_zero_is_in_the_middle() {
    let row = |label: &str, point: f64| Whisker {
        label: label.into(),
        point,
        lower: Some(point - 0.1),
        upper: Some(point + 0.1),
        detectable: Some(0.2),
        slot: 0,
    };
    let spec = WhiskerSpec::around_zero(vec![row("up", 0.3), row("down", -0.3)], "lift");
    let log = Rc::new(RefCell::new(Log::default()));
    let area = Recorder { size: (500, 156), log: log.clone() }.into_drawing_area();
    draw_whiskers(&area, &spec, &theme(1.0)).unwrap();
    drop(area);
    let log = log.take();
    assert!(log.circles[0].0.0 > 250 && log.circles[1].0.0 < 250);
    assert!(log.circles[0].0.1 < log.circles[1].0.1);
    assert_eq!(log.rects.len(), 2, "one band a row");
    let zero = log.texts.iter().find(|(t, _)| t == "0").unwrap();
    assert_eq!(zero.1.0, 250);
    assert!(log.texts.iter().any(|(t, _)| t == "up") && log.texts.iter().any(|(t, _)| t == "lift"));
    // Half of the text's height and a little more stays free of lines, bands and marks.
    for (words, at) in log.texts.iter().filter(|(t, _)| ["up", "down"].contains(&t.as_str())) {
        let free = (at.1 - 9)..(at.1 + 9);
        let crossed = |from: i32, to: i32| from.min(to) < free.end && from.max(to) >= free.start;
        assert!(log.paths.iter().all(|p| !crossed(p[0].1, p[1].1)), "a line crosses {words}");
        assert!(log.rects.iter().all(|(a, b)| !crossed(a.1, b.1)), "a band touches {words}");
        assert!(log.circles.iter().all(|(c, r)| !crossed(c.1 - 8, c.1 + 8) && *r <= 8));
    }
}

#[test]
fn summaries_say_what_is_seen() {
    let spec = ReliabilitySpec {
        series: vec![DotSeries {
            label: "alpha a0".into(),
            slot: 0,
            dots: vec![dot(0.9, 0.5, 0.6), dot(0.2, 0.2, 0.4)],
        }],
    };
    assert_eq!(
        describe_reliability(&spec),
        "alpha a0: the interval of the observed frequency leaves out the predicted probability in 1 of 2 bins. The widest gap: 0.900 predicted, 0.500 observed, over 60\u{a0}% of its rows."
    );
    assert_eq!(describe_reliability(&ReliabilitySpec::default()), "No series is chosen.");
}
