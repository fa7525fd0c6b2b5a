//! Curves for patchwire alone: inputs × chunk sizes × input sizes, and time an event.

use core::hint::black_box;
use core::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group,
    criterion_main,
};
use patchwire_benches::chunks::WHOLE;
use patchwire_benches::contender::{Contender as _, Patchwire};
use patchwire_benches::input::{MB, SIZES, Shape, size_name};

const CHUNKS: [usize; 6] = [1, 4, 16, 64, 4096, WHOLE];

criterion_group!(benches, bytes, events, checks);
criterion_main!(benches);

/// Throughput in bytes: one group for each shape.
fn bytes(criterion: &mut Criterion) {
    let patchwire = Patchwire::lenient();
    for shape in Shape::ALL {
        let mut group = group(criterion, shape.name());
        for bytes in SIZES {
            let input = shape.build(bytes);
            group.throughput(Throughput::Bytes(input.len() as u64));
            for size in CHUNKS {
                let id = BenchmarkId::new(size_name(bytes), chunk_name(size));
                group.bench_with_input(id, &input, |bencher, input| {
                    bencher.iter(|| patchwire.read(black_box(input), size).checksum());
                });
            }
        }
        group.finish();
    }
}

/// Throughput in events.
fn events(criterion: &mut Criterion) {
    let mut group = group(criterion, "events");
    for patchwire in [Patchwire::lenient(), Patchwire::with_value(), Patchwire::owned()] {
        for shape in Shape::ALL {
            let input = shape.build(MB);
            group.throughput(Throughput::Elements(patchwire.read(&input, 4).events));
            let id = BenchmarkId::new(patchwire.name(), shape.name());
            group.bench_with_input(id, &input, |bencher, input| {
                bencher.iter(|| patchwire.read(black_box(input), 4).checksum());
            });
        }
    }
    group.finish();
}

/// What it costs to look at each value as it closes.
fn checks(criterion: &mut Criterion) {
    let mut group = group(criterion, "checks");
    let input = Shape::Records.build(MB);
    group.throughput(Throughput::Bytes(input.len() as u64));
    for patchwire in Patchwire::checked() {
        let id = BenchmarkId::new(patchwire.name(), "16");
        group.bench_with_input(id, &input, |bencher, input| {
            bencher.iter(|| patchwire.read(black_box(input), 16).checksum());
        });
    }
    group.finish();
}

/// A group that takes its time where an iteration is long, and no more than that.
fn group<'c>(criterion: &'c mut Criterion, name: &str) -> BenchmarkGroup<'c, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(10)
        .sampling_mode(SamplingMode::Flat)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(500));
    group
}

fn chunk_name(size: usize) -> String {
    if size == WHOLE { "whole".to_owned() } else { size.to_string() }
}
