use std::sync::Arc;
use axle_source::{Diagnostics, MemoryLoader, Sources};
use axle_symbolic::{Options, Strategy, Symbolic};
fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap();
    let strategies = args.next().unwrap_or("bcsi".into());
    let processes: u32 = args.next().map_or(64, |s| s.parse().unwrap());
    let text = std::fs::read_to_string(&path).unwrap();
    std::thread::Builder::new().stack_size(1 << 30).spawn(move || {
        let mut sources = Sources::new();
        let main = sources.add("model.pml", &text);
        let (options, loader) = (axle_promela::Options::default(), MemoryLoader::default());
        let model = Arc::new(axle_promela::compile(&mut sources, main, &loader, &options, &mut Diagnostics::new()).unwrap());
        let t = std::time::Instant::now();
        let relation = axle_relation::Relation::new(&model, &axle_relation::Options { processes, ..Default::default() }, &[]).unwrap();
        println!("relation {:.2?}: {} groups, {} terms, {} variables", t.elapsed(), relation.groups.len(), relation.terms.len(), relation.variables.list().len());
        for c in strategies.chars() {
            let strategy = match c { 'b' => Strategy::BreadthFirst, 'c' => Strategy::Chaining, 's' => Strategy::Saturation, _ => Strategy::Improviso };
            let cpu = || std::fs::read_to_string("/proc/self/stat").unwrap().split(' ').nth(13).unwrap().parse::<u64>().unwrap(); let c0 = cpu();
            let t = std::time::Instant::now();
            let mut symbolic = match Symbolic::new(&relation, Options::default()) { Ok(s) => s, Err(e) => { println!("{e:?}"); return; } };
            let lowered = t.elapsed(); 
            let mut last = std::time::Instant::now();
            let r = symbolic.explore(strategy, &mut |p| {
                if last.elapsed().as_secs() >= 5 { last = std::time::Instant::now(); println!("  {:?}", (p.iterations, p.images, p.nodes)); }
                (t.elapsed().as_secs() > 100).then_some(axle_outcome::Stop::Time) });
            match r {
            Ok(r) => println!("cpu {:4} ms {strategy:?}: {} states ({:.3e}), lowered {lowered:.2?}, total {:.2?}, iterations {}, images {}, peak {}, nodes {}, widened {}, stop {:?}, violations {:?}", (cpu()-c0)*10, r.states, r.states.to_string().parse::<f64>().unwrap(), t.elapsed(), r.iterations, r.images, r.peak, r.nodes, r.widened, r.stop, r.violations.iter().map(|v| (v.site.kind, v.path.len())).collect::<Vec<_>>()),
            Err(e) => println!("{e:?}"),
            }
        }
    }).unwrap().join().unwrap();
}
