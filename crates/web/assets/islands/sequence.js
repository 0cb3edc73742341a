// node_modules/svelte/src/internal/shared/utils.js
var e = Array.isArray, t = Array.prototype.indexOf, n = Array.prototype.includes, r = Array.from, i = Object.defineProperty, a = Object.getOwnPropertyDescriptor, o = Object.getOwnPropertyDescriptors, s = Object.prototype, c = Array.prototype, l = Object.getPrototypeOf, u = Object.isExtensible, d = () => {};
function f(e) {
	for (var t = 0; t < e.length; t++) e[t]();
}
function p() {
	var e, t;
	return {
		promise: new Promise((n, r) => {
			e = n, t = r;
		}),
		resolve: e,
		reject: t
	};
}
var m = 1024, h = 2048, g = 4096, _ = 8192, v = 16384, y = 32768, b = 1 << 25, x = 65536, S = 1 << 19, ee = 1 << 20, te = 1 << 25, ne = 1 << 21, C = 1 << 22, w = 1 << 23, re = Symbol("$state"), ie = Symbol("component"), ae = Symbol(""), oe = Symbol("attributes"), se = Symbol("class"), ce = Symbol("style"), le = Symbol("text"), ue = Symbol("form reset"), de = new class extends Error {
	name = "StaleReactionError";
	message = "The reaction that called `getAbortSignal()` was re-run or destroyed";
}(), fe = !!globalThis.document?.contentType && /* @__PURE__ */ globalThis.document.contentType.includes("xml"), pe = {}, T = Symbol("uninitialized"), me = "http://www.w3.org/1999/xhtml", he = "http://www.w3.org/2000/svg", ge = "http://www.w3.org/1998/Math/MathML";
function _e() {
	console.warn("https://svelte.dev/e/derived_inert");
}
function ve(e) {
	console.warn("https://svelte.dev/e/hydration_mismatch");
}
function ye() {
	console.warn("https://svelte.dev/e/svelte_boundary_reset_noop");
}
// node_modules/svelte/src/internal/client/dom/hydration.js
var E = !1;
function be(e) {
	E = e;
}
var D;
function O(e) {
	if (e === null) throw ve(), pe;
	return D = e;
}
function xe() {
	return O(/* @__PURE__ */ Yt(D));
}
function k(e) {
	if (E) {
		if (/* @__PURE__ */ Yt(D) !== null) throw ve(), pe;
		D = e;
	}
}
function Se(e = 1) {
	if (E) {
		for (var t = e, n = D; t--;) n = /* @__PURE__ */ Yt(n);
		D = n;
	}
}
function Ce(e = !0) {
	for (var t = 0, n = D;;) {
		if (n.nodeType === 8) {
			var r = n.data;
			if (r === "]") {
				if (t === 0) return n;
				--t;
			} else (r === "[" || r === "[!" || r[0] === "[" && !isNaN(Number(r.slice(1)))) && (t += 1);
		}
		var i = /* @__PURE__ */ Yt(n);
		e && n.remove(), n = i;
	}
}
function we(e) {
	if (!e || e.nodeType !== 8) throw ve(), pe;
	return e.data;
}
// node_modules/svelte/src/internal/client/reactivity/equality.js
function Te(e) {
	return e === this.v;
}
function Ee(e, t) {
	return e == e ? e !== t || typeof e == "object" && !!e || typeof e == "function" : t == t;
}
function De(e) {
	return !Ee(e, this.v);
}
function Oe(e) {
	throw Error("https://svelte.dev/e/lifecycle_outside_component");
}
// node_modules/svelte/src/internal/client/errors.js
function ke() {
	throw Error("https://svelte.dev/e/async_derived_orphan");
}
function Ae(e, t, n) {
	throw Error("https://svelte.dev/e/each_key_duplicate");
}
function je(e) {
	throw Error("https://svelte.dev/e/effect_in_teardown");
}
function Me() {
	throw Error("https://svelte.dev/e/effect_in_unowned_derived");
}
function Ne(e) {
	throw Error("https://svelte.dev/e/effect_orphan");
}
function Pe() {
	throw Error("https://svelte.dev/e/effect_update_depth_exceeded");
}
function Fe() {
	throw Error("https://svelte.dev/e/state_descriptors_fixed");
}
function Ie() {
	throw Error("https://svelte.dev/e/state_prototype_fixed");
}
function Le() {
	throw Error("https://svelte.dev/e/state_unsafe_mutation");
}
function Re() {
	throw Error("https://svelte.dev/e/svelte_boundary_reset_onerror");
}
// node_modules/svelte/src/internal/client/context.js
var A = null;
function ze(e) {
	A = e;
}
function Be(e, t = !1, n) {
	A = {
		p: A,
		i: !1,
		c: null,
		e: null,
		s: e,
		x: null,
		r: G,
		l: null
	};
}
function Ve(e) {
	var t = A, n = t.e;
	if (n !== null) {
		t.e = null;
		for (var r of n) un(r);
	}
	return e !== void 0 && (t.x = e), t.i = !0, A = t.p, He(e);
}
function He(e = {}) {
	return i(e, ie, { value: !0 }), e;
}
function Ue() {
	return !0;
}
// node_modules/svelte/src/internal/client/dom/task.js
var We = [];
function Ge() {
	var e = We;
	We = [], f(e);
}
function Ke(e) {
	if (We.length === 0 && !vt) {
		var t = We;
		queueMicrotask(() => {
			t === We && Ge();
		});
	}
	We.push(e);
}
function qe() {
	for (; We.length > 0;) Ge();
}
// node_modules/svelte/src/internal/client/reactivity/status.js
var Je = ~(h | g | m);
function j(e, t) {
	e.f = e.f & Je | t;
}
function Ye(e) {
	e.f & 512 || e.deps === null ? j(e, m) : j(e, g);
}
// node_modules/svelte/src/internal/client/reactivity/utils.js
function Xe(e, t) {
	e.f & 2048 ? t.set(e, h) : e.f & 4096 && t.get(e) !== 2048 && t.set(e, g), j(e, m);
}
// node_modules/svelte/src/internal/client/dom/elements/misc.js
var Ze = !1;
function Qe() {
	Ze || (Ze = !0, document.addEventListener("reset", (e) => {
		Promise.resolve().then(() => {
			if (!e.defaultPrevented) for (let t of e.target.elements) t[ue]?.();
		});
	}, { capture: !0 }));
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/shared.js
function $e(e) {
	var t = W, n = G;
	An(null), jn(null);
	try {
		return e();
	} finally {
		An(t), jn(n);
	}
}
function et(e, t, n, r = n) {
	e.addEventListener(t, () => $e(n));
	let i = e[ue];
	e[ue] = i ? () => {
		i(), r(!0);
	} : () => r(!0), Qe();
}
// node_modules/svelte/src/internal/client/reactivity/async.js
function tt(e, t, n, r) {
	let i = Ue() ? at : ct;
	var a = e.filter((e) => !e.settled), o = t.map(i);
	if (n.length === 0 && a.length === 0) {
		r(o);
		return;
	}
	var s = G, c = nt(), l = a.length === 1 ? a[0].promise : a.length > 1 ? Promise.all(a.map((e) => e.promise)) : null;
	function u(e) {
		if (!(s.f & 16384)) {
			c();
			try {
				r([...o, ...e]);
			} catch (e) {
				nn(e, s);
			}
			rt();
		}
	}
	var d = it();
	if (n.length === 0) {
		l.then(() => u([])).finally(d);
		return;
	}
	function f() {
		Promise.all(n.map((e) => /* @__PURE__ */ st(e))).then(u).catch((e) => nn(e, s)).finally(d);
	}
	l ? l.then(() => {
		s.f & 16384 ? d() : (c(), f(), rt());
	}) : f();
}
function nt() {
	var e = G, t = W, n = A, r = N;
	return function(i = !0) {
		jn(e), An(t), ze(n), i && !(e.f & 16384) && (r?.activate(), r?.apply());
	};
}
function rt(e = !0) {
	jn(null), An(null), ze(null), e && N?.deactivate();
}
function it() {
	var e = G, t = e.b, n = N, r = !!t?.is_rendered();
	return t?.update_pending_count(1, n), n.increment(r, e), () => {
		t?.update_pending_count(-1, n), n.decrement(r, e);
	};
}
/*#__NO_SIDE_EFFECTS__*/
function at(e) {
	var t = 2 | h;
	return G !== null && (G.f |= S), {
		ctx: A,
		deps: null,
		effects: null,
		equals: Te,
		f: t,
		fn: e,
		reactions: null,
		rv: 0,
		v: T,
		wv: 0,
		parent: G,
		ac: null
	};
}
var ot = Symbol("obsolete");
/*#__NO_SIDE_EFFECTS__*/
function st(e, t, n) {
	let r = G;
	r === null && ke();
	var i = void 0, a = Ft(T), o = !W, s = /* @__PURE__ */ new Set();
	return pn(() => {
		var t = G, n = p();
		i = n.promise;
		try {
			Promise.resolve(e()).then(n.resolve, (e) => {
				e !== de && n.reject(e);
			}).finally(rt);
		} catch (e) {
			n.reject(e), rt();
		}
		var c = N;
		if (o) {
			if (t.f & 32768) var l = it();
			if (r.b?.is_rendered()) c.async_deriveds.get(t)?.reject(ot);
			else for (let e of s.values()) e.reject(ot);
			s.add(n), c.async_deriveds.set(t, n);
		}
		let u = (e, t = void 0) => {
			l?.(), s.delete(n), t !== ot && (c.activate(), t ? (a.f |= w, zt(a, t)) : (a.f & 8388608 && (a.f ^= w), zt(a, e)), c.deactivate());
		};
		n.promise.then(u, (e) => u(null, e || "unknown"));
	}), cn(() => {
		for (let e of s) e.reject(ot);
	}), new Promise((e) => {
		function t(n) {
			function r() {
				n === i ? e(a) : t(i);
			}
			n.then(r, r);
		}
		t(i);
	});
}
/*#__NO_SIDE_EFFECTS__*/
function M(e) {
	let t = /* @__PURE__ */ at(e);
	return Nn(t), t;
}
/*#__NO_SIDE_EFFECTS__*/
function ct(e) {
	let t = /* @__PURE__ */ at(e);
	return t.equals = De, t;
}
function lt(e) {
	var t = e.effects;
	if (t !== null) {
		e.effects = null;
		for (var n = 0; n < t.length; n += 1) U(t[n]);
	}
}
function ut(e) {
	var t, n = G, r = e.parent;
	if (!Dn && r !== null && e.v !== T && r.f & 24576) return _e(), e.v;
	jn(r);
	try {
		lt(e), t = Un(e);
	} finally {
		jn(n);
	}
	return t;
}
function dt(e) {
	var t = ut(e);
	!e.equals(t) && (e.wv = Bn(), (!N?.is_fork || e.deps === null) && (N === null ? e.v = t : (N.capture(e, t, !0), ht?.capture(e, t, !0)), e.deps === null)) ? j(e, m) : Dn || (gt === null ? Ye(e) : (sn() || N?.is_fork) && gt.set(e, t));
}
function ft(e) {
	if (e.effects !== null) for (let t of e.effects) (t.teardown || t.ac) && (t.teardown?.(), t.ac !== null && $e(() => {
		t.ac.abort(de), t.ac = null;
	}), t.fn !== null && (t.teardown = d), Kn(t, 0), _n(t));
}
function pt(e) {
	if (e.effects !== null) for (let t of e.effects) t.teardown && t.fn !== null && qn(t);
}
// node_modules/svelte/src/internal/client/reactivity/batch.js
var mt = null, N = null, ht = null, gt = null, _t = null, vt = !1, yt = !1, bt = null, xt = null, St = 0, Ct = 1, wt = class e {
	id = Ct++;
	started = !1;
	linked = !0;
	prev = null;
	next = null;
	async_deriveds = /* @__PURE__ */ new Map();
	current = /* @__PURE__ */ new Map();
	previous = /* @__PURE__ */ new Map();
	#e = /* @__PURE__ */ new Set();
	#t = /* @__PURE__ */ new Set();
	#n = 0;
	#r = /* @__PURE__ */ new Map();
	#i = null;
	#a = [];
	#o = [];
	#s = /* @__PURE__ */ new Map();
	#c = /* @__PURE__ */ new Map();
	#l = /* @__PURE__ */ new Set();
	is_fork = !1;
	#u = !1;
	constructor() {
		mt === null ? mt = this : (mt.next = this, this.prev = mt), mt = this;
	}
	#d() {
		if (this.is_fork) return !0;
		for (let e of this.#r.keys()) if (!this.#f(e)) return !0;
		return !1;
	}
	#f(e) {
		for (var t = e; t !== null; t = t.parent) if (this.#c.has(t)) return !0;
		return !1;
	}
	skip_effect(e) {
		this.#c.has(e) || this.#c.set(e, {
			d: [],
			m: []
		}), this.#l.delete(e);
	}
	unskip_effect(e, t = (e) => this.schedule(e)) {
		var n = this.#c.get(e);
		if (n) {
			this.#c.delete(e);
			for (var r of n.d) j(r, h), t(r);
			for (r of n.m) j(r, g), t(r);
		}
		this.#l.add(e);
	}
	#p() {
		var e = [];
		for (let i of this.#a) if (!(i.f & 16384 || !(i.f & 6144))) {
			for (var t = i, n = !1; t.parent !== null;) {
				t = t.parent;
				var r = t.f;
				if (r & 96) {
					if (!(r & 1024)) {
						n = !0;
						break;
					}
					t.f ^= m;
				}
			}
			n || e.push(t);
		}
		return this.#a = [], e;
	}
	#m() {
		this.started = !0;
		for (let [e, t] of this.#s) j(e, t), this.schedule(e);
		this.apply();
		for (var t = bt = [], n = [], r = xt = []; this.#a.length > 0;) {
			St++ > 1e3 && (this.#b(), Et());
			for (let e of this.#p()) try {
				this.#h(e, t, n);
			} catch (t) {
				throw jt(e), this.#d() || this.discard(), t;
			}
		}
		if (N = null, r.length > 0) {
			var i = e.ensure();
			for (let e of r) i.schedule(e);
		}
		if (bt = null, xt = null, this.#d()) {
			this.#y(n), this.#y(t);
			for (let [e, t] of this.#c) At(e, t);
			r.length > 0 && N.#m();
			return;
		}
		let a = this.#g();
		if (a) this.#y(n), this.#y(t), a.#v(this);
		else {
			this.#s.clear();
			for (let e of this.#e) e(this);
			this.#e.clear(), ht = this, Ot(n), Ot(t), ht = null, this.#i?.resolve();
			var o = N;
			this.#n === 0 && (this.#a.length === 0 || o !== null) && this.#b(), o !== null && (Nt.clear(), o.#m());
		}
	}
	#h(e, t, n) {
		e.f ^= m;
		for (var r = e.first; r !== null;) {
			var i = r.f, a = !!(i & 96);
			if (!(a && i & 1024 || i & 8192 || this.#c.has(r)) && r.fn !== null) {
				a ? r.f ^= m : i & 4 ? t.push(r) : Vn(r) && (i & 16 && this.add_dirty_reaction(r, g), qn(r));
				var o = r.first;
				if (o !== null) {
					r = o;
					continue;
				}
			}
			for (; r !== null;) {
				var s = r.next;
				if (s !== null) {
					r = s;
					break;
				}
				r = r.parent;
			}
		}
	}
	#g() {
		for (var e = this.prev; e !== null; e = e.prev) if (!e.is_fork && this.#_(e)) return e;
		return null;
	}
	#_(e) {
		for (let [t, [, n]] of this.current) if (!n && e.current.has(t)) return !0;
		return !1;
	}
	#v(e) {
		for (let [t, n] of e.current) !this.previous.has(t) && e.previous.has(t) && this.previous.set(t, e.previous.get(t)), this.current.set(t, n);
		for (let [t, n] of e.async_deriveds) {
			let e = this.async_deriveds.get(t);
			e && n.promise.then(e.resolve).catch(e.reject);
		}
		e.async_deriveds.clear(), this.transfer_reactions(e.#s);
		let t = (e) => {
			var n = e.reactions;
			if (n !== null && !(e.f & 2 && !(e.f & 6144))) for (let e of n) {
				var r = e.f;
				if (r & 2) t(e);
				else {
					var i = e;
					r & 4194320 && !this.async_deriveds.has(i) && (this.#s.delete(i), j(i, h), this.schedule(i));
				}
			}
		};
		for (let e of this.current.keys()) t(e);
		this.oncommit(() => e.discard()), e.#b(), N = this, this.#m();
	}
	#y(e) {
		for (var t = 0; t < e.length; t += 1) Xe(e[t], this.#s);
	}
	capture(e, t, n = !1) {
		e.v !== T && !this.previous.has(e) && this.previous.set(e, e.v), e.f & 8388608 || (this.current.set(e, [t, n]), gt?.set(e, t)), this.is_fork || (e.v = t);
	}
	activate() {
		N = this;
	}
	deactivate() {
		N = null, gt = null;
	}
	flush() {
		try {
			yt = !0, N = this, this.#m();
		} finally {
			St = 0, _t = null, bt = null, xt = null, yt = !1, N = null, gt = null, Nt.clear();
		}
	}
	discard() {
		for (let e of this.#t) e(this);
		this.#t.clear();
		for (let e of this.async_deriveds.values()) e.reject(ot);
		this.#b(), this.#i?.resolve();
	}
	register_created_effect(e) {
		this.#o.push(e);
	}
	increment(e, t) {
		if (this.#n += 1, e) {
			let e = this.#r.get(t) ?? 0;
			this.#r.set(t, e + 1);
		}
	}
	decrement(e, t) {
		if (--this.#n, e) {
			let e = this.#r.get(t) ?? 0;
			e === 1 ? this.#r.delete(t) : this.#r.set(t, e - 1);
		}
		this.#u || (this.#u = !0, Ke(() => {
			this.#u = !1, this.linked && this.flush();
		}));
	}
	transfer_reactions(e) {
		for (let [t, n] of e) this.add_dirty_reaction(t, n);
		e.clear();
	}
	add_dirty_reaction(e, t) {
		(t === 2048 || this.#s.get(e) !== 2048) && this.#s.set(e, t);
	}
	oncommit(e) {
		this.#e.add(e);
	}
	ondiscard(e) {
		this.#t.add(e);
	}
	settled() {
		return (this.#i ??= p()).promise;
	}
	static ensure() {
		if (N === null) {
			let t = N = new e();
			!yt && !vt && Ke(() => {
				t.started || t.flush();
			});
		}
		return N;
	}
	apply() {
		gt = null;
	}
	schedule(e) {
		_t = e, e.b?.is_pending && e.f & 16777228 && !(e.f & 32768) ? e.b.defer_effect(e) : this.#a.push(e);
	}
	#b() {
		if (this.linked) {
			var e = this.prev, t = this.next;
			e === null || (e.next = t), t === null ? mt = e : t.prev = e, this.linked = !1;
		}
	}
};
function Tt(e) {
	var t = vt, n = ht;
	ht = null, vt = !0;
	try {
		var r;
		for (e && (Tt(), r = e());;) {
			if (qe(), N === null) return r;
			N.flush();
		}
	} finally {
		vt = t, ht = n;
	}
}
function Et() {
	try {
		Pe();
	} catch (e) {
		nn(e, _t);
	}
}
var Dt = null;
function Ot(e) {
	var t = e.length;
	if (t !== 0) {
		for (var n = 0; n < t;) {
			var r = e[n++];
			if (!(r.f & 24576) && Vn(r) && (Dt = /* @__PURE__ */ new Set(), qn(r), r.deps === null && r.first === null && r.nodes === null && r.teardown === null && r.ac === null && bn(r), Dt?.size > 0)) {
				Nt.clear();
				for (let e of Dt) {
					if (e.f & 24576) continue;
					let t = [e], n = e.parent;
					for (; n !== null;) Dt.has(n) && (Dt.delete(n), t.push(n)), n = n.parent;
					for (let e = t.length - 1; e >= 0; e--) {
						let n = t[e];
						n.f & 24576 || qn(n);
					}
				}
				Dt.clear();
			}
		}
		Dt = null;
	}
}
function kt(e) {
	N.schedule(e);
}
function At(e, t) {
	if (!(e.f & 32 && e.f & 1024)) {
		e.f & 2048 ? t.d.push(e) : e.f & 4096 && t.m.push(e), j(e, m);
		for (var n = e.first; n !== null;) At(n, t), n = n.next;
	}
}
function jt(e) {
	j(e, m);
	for (var t = e.first; t !== null;) jt(t), t = t.next;
}
// node_modules/svelte/src/internal/client/reactivity/sources.js
var Mt = /* @__PURE__ */ new Set(), Nt = /* @__PURE__ */ new Map(), Pt = !1;
function Ft(e, t) {
	return {
		f: 0,
		v: e,
		reactions: null,
		equals: Te,
		rv: 0,
		wv: 0
	};
}
/*#__NO_SIDE_EFFECTS__*/
function P(e, t) {
	let n = Ft(e, t);
	return Nn(n), n;
}
/*#__NO_SIDE_EFFECTS__*/
function It(e, t = !1, n = !0) {
	let r = Ft(e);
	return t || (r.equals = De), r;
}
function F(e, t, n = !1) {
	return W !== null && (!kn || W.f & 131072) && Ue() && W.f & 4325394 && (Mn === null || !Mn.has(e)) && Le(), zt(e, n ? Ut(t) : t, xt);
}
var Lt = null, Rt = 0;
function zt(e, t, n = null) {
	if (!e.equals(t)) {
		Dn ? Nt.set(e, t) : Nt.has(e) || Nt.set(e, e.v);
		var r = wt.ensure();
		if (r.capture(e, t), e.f & 2) {
			let t = e;
			e.f & 2048 && ut(t), gt === null && Ye(t);
		}
		e.wv = Bn(), Lt = null, Rt = 0, Ht(e, h, n), Lt = null, Ue() && G !== null && G.f & 1024 && !(G.f & 96) && (Pn === null ? Fn([e]) : Pn.push(e)), !r.is_fork && Mt.size > 0 && !Pt && Bt();
	}
	return t;
}
function Bt() {
	Pt = !1;
	for (let e of Mt) {
		e.f & 1024 && j(e, g);
		let t;
		try {
			t = Vn(e);
		} catch {
			t = !0;
		}
		t && qn(e);
	}
	Mt.clear();
}
function Vt(e) {
	F(e, e.v + 1);
}
function Ht(e, t, n) {
	var r = e.reactions;
	if (r !== null) {
		var i = Ue(), a = r.length;
		if (Rt += a, Rt > 1e5 && Lt === null && (Lt = /* @__PURE__ */ new Set()), Lt !== null) {
			if (Lt.has(e)) return;
			Lt.add(e);
		}
		for (var o = 0; o < a; o++) {
			var s = r[o], c = s.f;
			if (i || s !== G) {
				var l = (c & h) === 0;
				if (l && j(s, t), c & 131072) Mt.add(s);
				else if (c & 2) {
					var u = s;
					gt?.delete(u), Ht(u, g, n);
				} else if (l) {
					var d = s;
					c & 16 && Dt !== null && Dt.add(d), n === null ? kt(d) : n.push(d);
				}
			}
		}
	}
}
function Ut(t) {
	if (typeof t != "object" || !t || re in t || ie in t) return t;
	let n = l(t);
	if (n !== s && n !== c) return t;
	var r = /* @__PURE__ */ new Map(), i = e(t), o = /* @__PURE__ */ P(0), u = null, d = Rn, f = (e) => {
		if (Rn === d) return e();
		var t = W, n = Rn;
		An(null), zn(d);
		var r = e();
		return An(t), zn(n), r;
	};
	return i && r.set("length", /* @__PURE__ */ P(t.length, u)), new Proxy(t, {
		defineProperty(e, t, n) {
			"value" in n && n.configurable !== !1 && n.enumerable !== !1 && n.writable !== !1 || Fe();
			var i = r.get(t);
			return i === void 0 ? f(() => {
				var e = /* @__PURE__ */ P(n.value, u);
				return r.set(t, e), e;
			}) : F(i, n.value, !0), !0;
		},
		deleteProperty(e, t) {
			var n = r.get(t);
			if (n === void 0) {
				if (t in e) {
					let e = f(() => /* @__PURE__ */ P(T, u));
					r.set(t, e), Vt(o);
				}
			} else F(n, T), Vt(o);
			return !0;
		},
		get(e, n, i) {
			if (n === re) return t;
			var o = r.get(n), s = n in e;
			if (o === void 0 && (!s || a(e, n)?.writable) && (o = f(() => /* @__PURE__ */ P(Ut(s ? e[n] : T), u)), r.set(n, o)), o !== void 0) {
				var c = J(o);
				return c === T ? void 0 : c;
			}
			return Reflect.get(e, n, i);
		},
		getOwnPropertyDescriptor(e, t) {
			this.has?.(e, t);
			var n = Reflect.getOwnPropertyDescriptor(e, t), i = r.get(t);
			if (i !== void 0) {
				var a = J(i);
				if (a === T) return;
				if (n && "value" in n) n.value = a;
				else return {
					enumerable: !0,
					configurable: !0,
					value: a,
					writable: !0
				};
			}
			return n;
		},
		has(e, t) {
			if (t === re) return !0;
			var n = r.get(t), i = n !== void 0 && n.v !== T || Reflect.has(e, t);
			return (n !== void 0 || (G !== null || W !== null) && (!i || a(e, t)?.writable)) && (n === void 0 && (n = f(() => /* @__PURE__ */ P(i ? Ut(e[t]) : T, u)), r.set(t, n)), J(n) === T) ? !1 : i;
		},
		set(e, t, n, s) {
			var c = r.get(t), l = t in e;
			if (i && t === "length") for (var d = n; d < c.v; d += 1) {
				var p = r.get(d + "");
				p === void 0 ? d in e && (p = f(() => /* @__PURE__ */ P(T, u)), r.set(d + "", p)) : F(p, T);
			}
			if (c === void 0) (!l || a(e, t)?.writable) && (c = f(() => /* @__PURE__ */ P(void 0, u)), F(c, Ut(n)), r.set(t, c));
			else {
				l = c.v !== T;
				var m = f(() => Ut(n));
				F(c, m);
			}
			var h = Reflect.getOwnPropertyDescriptor(e, t);
			if (h?.set && h.set.call(s, n), !l) {
				if (i && typeof t == "string") {
					var g = r.get("length"), _ = Number(t);
					Number.isInteger(_) && _ >= g.v && F(g, _ + 1);
				}
				Vt(o);
			}
			return !0;
		},
		ownKeys(e) {
			J(o);
			var t = Reflect.ownKeys(e).filter((e) => {
				var t = r.get(e);
				return t === void 0 || t.v !== T;
			});
			for (var [n, i] of r) i.v !== T && !(n in e) && t.push(n);
			return t;
		},
		setPrototypeOf() {
			Ie();
		}
	});
}
var Wt, Gt, Kt, qt;
function Jt() {
	if (Wt === void 0) {
		Wt = window, Gt = /Firefox/.test(navigator.userAgent);
		var e = Element.prototype, t = Node.prototype, n = Text.prototype;
		Kt = a(t, "firstChild").get, qt = a(t, "nextSibling").get, u(e) && (e[se] = void 0, e[oe] = null, e[ce] = void 0, e.__e = void 0), u(n) && (n[le] = void 0);
	}
}
function I(e = "") {
	return document.createTextNode(e);
}
/*@__NO_SIDE_EFFECTS__*/
function L(e) {
	return Kt.call(e);
}
/*@__NO_SIDE_EFFECTS__*/
function Yt(e) {
	return qt.call(e);
}
function R(e, t) {
	if (!E) return /* @__PURE__ */ L(e);
	var n = /* @__PURE__ */ L(D);
	if (n === null) n = D.appendChild(I());
	else if (t && n.nodeType !== 3) {
		var r = I();
		return n?.before(r), O(r), r;
	}
	return t && en(n), O(n), n;
}
function Xt(e, t = !1) {
	if (!E) {
		var n = /* @__PURE__ */ L(e);
		return n instanceof Comment && n.data === "" ? /* @__PURE__ */ Yt(n) : n;
	}
	if (t) {
		if (D?.nodeType !== 3) {
			var r = I();
			return D?.before(r), O(r), r;
		}
		en(D);
	}
	return D;
}
function z(e, t = !1) {
	if (!E) return /* @__PURE__ */ L(e);
	var n = R(e, t);
	return k(e), n;
}
function B(e, t = 1, n = !1) {
	let r = E ? D : e;
	for (var i; t--;) i = r, r = /* @__PURE__ */ Yt(r);
	if (!E) return r;
	if (n) {
		if (r?.nodeType !== 3) {
			var a = I();
			return r === null ? i?.after(a) : r.before(a), O(a), a;
		}
		en(r);
	}
	return O(r), r;
}
function Zt(e) {
	e.textContent = "";
}
function Qt() {
	return !1;
}
function $t(e, t, n) {
	return t == null || t === "http://www.w3.org/1999/xhtml" ? n ? document.createElement(e, { is: n }) : document.createElement(e) : n ? document.createElementNS(t, e, { is: n }) : document.createElementNS(t, e);
}
function en(e) {
	if (e.nodeValue.length < 65536) return;
	let t = e.nextSibling;
	for (; t !== null && t.nodeType === 3;) t.remove(), e.nodeValue += t.nodeValue, t = e.nextSibling;
}
function tn(e) {
	var t = G;
	if (t === null) return W.f |= w, e;
	if (!(t.f & 32768) && !(t.f & 4)) throw e;
	nn(e, t);
}
function nn(e, t) {
	if (e === pe) throw e;
	if (!(t !== null && t.f & 16384)) {
		for (; t !== null;) {
			if (t.f & 128 && !(t.f & 33570816)) {
				if (!(t.f & 32768)) throw e;
				try {
					t.b.error(e);
					return;
				} catch (t) {
					e = t;
				}
			}
			t = t.parent;
		}
		throw e;
	}
}
// node_modules/svelte/src/internal/client/reactivity/effects.js
function rn(e) {
	G === null && (W === null && Ne(e), Me()), Dn && je(e);
}
function an(e, t) {
	var n = t.last;
	n === null ? t.last = t.first = e : (n.next = e, e.prev = n, t.last = e);
}
function on(e, t) {
	var n = G;
	n !== null && n.f & 8192 && (e |= _);
	var r = {
		ctx: A,
		deps: null,
		nodes: null,
		f: e | h | 512,
		first: null,
		fn: t,
		last: null,
		next: null,
		parent: n,
		b: n && n.b,
		prev: null,
		teardown: null,
		wv: 0,
		ac: null
	};
	N?.register_created_effect(r);
	var i = r;
	if (e & 4) bt === null ? wt.ensure().schedule(r) : bt.push(r);
	else if (t !== null) {
		try {
			qn(r);
		} catch (e) {
			throw U(r), e;
		}
		i.deps === null && i.teardown === null && i.nodes === null && i.first === i.last && !(i.f & 524288) && (i = i.first, e & 16 && e & 65536 && i !== null && (i.f |= x));
	}
	if (i !== null && (i.parent = n, n !== null && an(i, n), W !== null && W.f & 2 && !(e & 64))) {
		var a = W;
		(a.effects ??= []).push(i);
	}
	return r;
}
function sn() {
	return W !== null && !kn;
}
function cn(e) {
	let t = on(8, null);
	return j(t, m), t.teardown = e, t;
}
function ln(e) {
	rn("$effect");
	var t = G.f;
	if (!W && t & 32 && A !== null && !A.i) {
		var n = A;
		(n.e ??= []).push(e);
	} else return un(e);
}
function un(e) {
	return on(4 | ee, e);
}
function dn(e) {
	wt.ensure();
	let t = on(64 | S, e);
	return (e = {}) => new Promise((n) => {
		e.outro ? xn(t, () => {
			U(t), n(void 0);
		}) : (U(t), n(void 0));
	});
}
function fn(e) {
	return on(4, e);
}
function pn(e) {
	return on(C | S, e);
}
function mn(e, t = 0) {
	return on(8 | t, e);
}
function V(e, t = [], n = [], r = []) {
	tt(r, t, n, (t) => {
		on(8, () => {
			e(...t.map(J));
		});
	});
}
function hn(e, t = 0) {
	return on(16 | t, e);
}
function H(e) {
	return on(32 | S, e);
}
function gn(e) {
	var t = e.teardown;
	if (t !== null) {
		let n = Dn, r = W;
		On(!0), An(null);
		try {
			t.call(null);
		} catch (t) {
			nn(t, e.parent);
		} finally {
			On(n), An(r);
		}
	}
}
function _n(e, t = !1) {
	var n = e.first;
	for (e.first = e.last = null; n !== null;) {
		let e = n.ac;
		e !== null && $e(() => {
			e.abort(de);
		});
		var r = n.next;
		n.f & 64 ? n.parent = null : U(n, t), n = r;
	}
}
function vn(e) {
	for (var t = e.first; t !== null;) {
		var n = t.next;
		t.f & 32 || U(t), t = n;
	}
}
function U(e, t = !0) {
	var n = !1;
	(t || e.f & 262144) && e.nodes !== null && e.nodes.end !== null && (yn(e.nodes.start, e.nodes.end), n = !0), e.f |= b, _n(e, t && !n), Kn(e, 0);
	var r = e.nodes && e.nodes.t;
	if (r !== null) for (let e of r) e.stop();
	gn(e), e.f ^= b, e.f |= v;
	var i = e.parent;
	i !== null && i.first !== null && bn(e), e.next = e.prev = e.teardown = e.ctx = e.deps = e.fn = e.nodes = e.ac = e.b = null;
}
function yn(e, t) {
	for (; e !== null;) {
		var n = e === t ? null : /* @__PURE__ */ Yt(e);
		e.remove(), e = n;
	}
}
function bn(e) {
	var t = e.parent, n = e.prev, r = e.next;
	n !== null && (n.next = r), r !== null && (r.prev = n), t !== null && (t.first === e && (t.first = r), t.last === e && (t.last = n));
}
function xn(e, t, n = !0) {
	var r = [];
	e.f |= 256, Sn(e, r, !0);
	var i = () => {
		n && U(e), t && t();
	}, a = r.length;
	if (a > 0) {
		var o = () => --a || i();
		for (var s of r) s.out(o);
	} else i();
}
function Sn(e, t, n) {
	if (!(e.f & 8192)) {
		e.f ^= _;
		var r = e.nodes && e.nodes.t;
		if (r !== null) for (let e of r) (e.is_global || n) && t.push(e);
		for (var i = e.first; i !== null;) {
			var a = i.next;
			if (!(i.f & 64)) {
				var o = !!(i.f & 65536) || !!(i.f & 32) && !!(e.f & 16);
				Sn(i, t, o ? n : !1);
			}
			i = a;
		}
	}
}
function Cn(e) {
	e.f &= -257, wn(e, !0);
}
function wn(e, t) {
	if (!(e.f & 256) && e.f & 8192) {
		e.f ^= _, e.f & 1024 || (j(e, h), wt.ensure().schedule(e));
		for (var n = e.first; n !== null;) {
			var r = n.next, i = !!(n.f & 65536) || !!(n.f & 32);
			wn(n, i ? t : !1), n = r;
		}
		var a = e.nodes && e.nodes.t;
		if (a !== null) for (let e of a) (e.is_global || t) && e.in();
	}
}
function Tn(e, t) {
	if (e.nodes) for (var n = e.nodes.start, r = e.nodes.end; n !== null;) {
		var i = n === r ? null : /* @__PURE__ */ Yt(n);
		t.append(n), n = i;
	}
}
// node_modules/svelte/src/internal/client/legacy.js
var En = null, Dn = !1;
function On(e) {
	Dn = e;
}
var W = null, kn = !1;
function An(e) {
	W = e;
}
var G = null;
function jn(e) {
	G = e;
}
var Mn = null;
function Nn(e) {
	W !== null && (W.f & 2097152 || W.f & 2) && (Mn ??= /* @__PURE__ */ new Set()).add(e);
}
var K = null, q = 0, Pn = null;
function Fn(e) {
	Pn = e;
}
var In = 1, Ln = 0, Rn = Ln;
function zn(e) {
	Rn = e;
}
function Bn() {
	return ++In;
}
function Vn(e) {
	var t = e.f;
	if (t & 2048) return !0;
	if (t & 4096) {
		for (var n = e.deps, r = n.length, i = 0; i < r; i++) {
			var a = n[i];
			if (Vn(a) && dt(a), a.wv > e.wv) return !0;
		}
		t & 512 && gt === null && j(e, m);
	}
	return !1;
}
function Hn(e, t, n = !0) {
	var r = e.reactions;
	if (r !== null && !(Mn !== null && Mn.has(e))) for (var i = 0; i < r.length; i++) {
		var a = r[i];
		a.f & 2 ? Hn(a, t, !1) : t === a && (n ? j(a, h) : a.f & 1024 && j(a, g), kt(a));
	}
}
function Un(e) {
	var t = K, n = q, r = Pn, i = W, a = Mn, o = A, s = kn, c = Rn, l = e.f;
	K = null, q = 0, Pn = null, W = l & 96 ? null : e, Mn = null, ze(e.ctx), kn = !1, Rn = ++Ln, e.ac !== null && ($e(() => {
		e.ac.abort(de);
	}), e.ac = null);
	try {
		e.f |= ne;
		var u = e.fn, d = u();
		e.f |= y;
		var f = Wn(e);
		if (Ue() && Pn !== null && !kn && f !== null && !(e.f & 6146)) for (var p = 0; p < Pn.length; p++) Hn(Pn[p], e);
		if (i !== null && i !== e) {
			if (Ln++, i.deps !== null) for (let e = 0; e < n; e += 1) i.deps[e].rv = Ln;
			if (t !== null) for (let e of t) e.rv = Ln;
			Pn !== null && (r === null ? r = Pn : r.push(...Pn));
		}
		return e.f & 8388608 && (e.f ^= w), d;
	} catch (t) {
		return Wn(e), tn(t);
	} finally {
		e.f ^= ne, K = t, q = n, Pn = r, W = i, Mn = a, ze(o), kn = s, Rn = c;
	}
}
function Wn(e) {
	var t = e.deps, n = N?.is_fork;
	if (K !== null) {
		var r;
		if (n || Kn(e, q), t !== null && q > 0) for (t.length = q + K.length, r = 0; r < K.length; r++) t[q + r] = K[r];
		else e.deps = t = K;
		if (sn() && e.f & 512) for (r = q; r < t.length; r++) (t[r].reactions ??= []).push(e);
	} else !n && t !== null && q < t.length && (Kn(e, q), t.length = q);
	return t;
}
function Gn(e, r) {
	let i = r.reactions;
	if (i !== null) {
		var a = t.call(i, e);
		if (a !== -1) {
			var o = i.length - 1;
			o === 0 ? i = r.reactions = null : (i[a] = i[o], i.pop());
		}
	}
	if (i === null && r.f & 2 && (K === null || !n.call(K, r))) {
		var s = r;
		s.f & 512 && (s.f ^= 512), s.v !== T && Ye(s), s.ac !== null && $e(() => {
			s.ac.abort(de), s.ac = null, j(s, h);
		}), ft(s), Kn(s, 0);
	}
}
function Kn(e, t) {
	var n = e.deps;
	if (n !== null) for (var r = t; r < n.length; r++) Gn(e, n[r]);
}
function qn(e) {
	var t = e.f;
	if (!(t & 16384)) {
		j(e, m);
		var n = G;
		G = e;
		try {
			t & 16777232 ? vn(e) : _n(e), gn(e);
			var r = Un(e);
			e.teardown = typeof r == "function" ? r : null, e.wv = In;
		} finally {
			G = n;
		}
	}
}
async function Jn() {
	await Promise.resolve(), Tt();
}
function J(e) {
	var t = !!(e.f & 2);
	if (En?.add(e), W !== null && !kn && !(G !== null && G.f & 16384) && (Mn === null || !Mn.has(e))) {
		var r = W.deps;
		if (W.f & 2097152) e.rv < Ln && (e.rv = Ln, K === null && r !== null && r[q] === e ? q++ : K === null ? K = [e] : K.push(e));
		else {
			W.deps ??= [], n.call(W.deps, e) || W.deps.push(e);
			var i = e.reactions;
			i === null ? e.reactions = [W] : n.call(i, W) || i.push(W);
		}
	}
	if (Dn && Nt.has(e)) return Nt.get(e);
	if (t) {
		var a = e;
		if (Dn) {
			var o = a.v;
			return (!(a.f & 1024) && a.reactions !== null || Xn(a)) && (o = ut(a)), Nt.set(a, o), o;
		}
		var s = !(a.f & 512) && !kn && W !== null && !!(W.f & 512), c = (a.f & y) === 0;
		Vn(a) && (s && (a.f |= 512), dt(a)), s && !c && (pt(a), Yn(a));
	}
	if (gt?.has(e)) return gt.get(e);
	if (e.f & 8388608) throw e.v;
	return e.v;
}
function Yn(e) {
	if (e.f |= 512, e.deps !== null) for (let r of e.deps) {
		var t = r.reactions;
		t === null ? r.reactions = [e] : n.call(t, e) || t.push(e), r.f & 2 && !(r.f & 512) && (pt(r), Yn(r));
	}
}
function Xn(e) {
	if (e.v === T) return !0;
	if (e.deps === null) return !1;
	for (let t of e.deps) if (Nt.has(t) || t.f & 2 && Xn(t)) return !0;
	return !1;
}
function Zn(e) {
	var t = kn;
	try {
		return kn = !0, e();
	} finally {
		kn = t;
	}
}
[.../* @__PURE__ */ "allowfullscreen.async.autofocus.autoplay.checked.controls.default.disabled.formnovalidate.indeterminate.inert.ismap.loop.multiple.muted.nomodule.novalidate.open.playsinline.readonly.required.reversed.seamless.selected.webkitdirectory.defer.disablepictureinpicture.disableremoteplayback".split(".")];
var Qn = ["touchstart", "touchmove"];
function $n(e) {
	return Qn.includes(e);
}
// node_modules/svelte/src/internal/client/dom/elements/events.js
var er = Symbol("events"), tr = /* @__PURE__ */ new Set(), nr = /* @__PURE__ */ new Set();
function rr(e, t, n, r = {}) {
	function i(e) {
		if (r.capture || lr.call(t, e), !e.cancelBubble) return $e(() => n?.call(this, e));
	}
	return e.startsWith("pointer") || e.startsWith("touch") || e === "wheel" ? (i.__removed = !1, Ke(() => {
		i.__removed || t.addEventListener(e, i, r);
	})) : t.addEventListener(e, i, r), i;
}
function ir(e, t, n, r, i) {
	var a = {
		capture: r,
		passive: i
	}, o = rr(e, t, n, a);
	(t === document.body || t === window || t === document || t instanceof HTMLMediaElement) && cn(() => {
		o.__removed = !0, t.removeEventListener(e, o, a);
	});
}
function ar(e, t, n) {
	(t[er] ??= {})[e] = n;
}
function or(e) {
	for (var t = 0; t < e.length; t++) tr.add(e[t]);
	for (var n of nr) n(e);
}
var sr = null, cr = !1;
function lr(e) {
	var t = this, n = t.ownerDocument, r = e.type, a = e.composedPath?.() || [], o = a[0] || e.target;
	sr = e, cr || (cr = !0, setTimeout(() => {
		cr = !1, sr = null;
	}));
	var s = 0, c = sr === e && e[er];
	if (c) {
		var l = a.indexOf(c);
		if (l !== -1 && (t === document || t === window)) {
			e[er] = t;
			return;
		}
		var u = a.indexOf(t);
		if (u === -1) return;
		l <= u && (s = l);
	}
	if (o = a[s] || e.target, o !== t) {
		i(e, "currentTarget", {
			configurable: !0,
			get() {
				return o || n;
			}
		});
		var d = W, f = G;
		An(null), jn(null);
		try {
			for (var p, m = []; o !== null && o !== t;) {
				try {
					var h = o[er]?.[r];
					h == null || o.disabled && e.target !== o || h.call(o, e);
				} catch (e) {
					p ? m.push(e) : p = e;
				}
				if (e.cancelBubble) break;
				s++, o = s < a.length ? a[s] : null;
			}
			if (p) {
				for (let e of m) queueMicrotask(() => {
					throw e;
				});
				throw p;
			}
		} finally {
			e[er] = t, delete e.currentTarget, An(d), jn(f);
		}
	}
}
// node_modules/svelte/src/internal/client/dom/reconciler.js
var ur = globalThis?.window?.trustedTypes && /* @__PURE__ */ globalThis.window.trustedTypes.createPolicy("svelte-trusted-html", { createHTML: (e) => e });
function dr(e) {
	return ur?.createHTML(e) ?? e;
}
function fr(e) {
	var t = $t("template");
	return t.innerHTML = dr(e.replaceAll("<!>", "<!---->")), t.content;
}
// node_modules/svelte/src/internal/client/dom/template.js
function pr(e, t) {
	var n = G;
	n.nodes === null && (n.nodes = {
		start: e,
		end: t,
		a: null,
		t: null
	});
}
/*#__NO_SIDE_EFFECTS__*/
function Y(e, t) {
	var n = !!(t & 1), r = !!(t & 2), i, a = !e.startsWith("<!>");
	return () => {
		if (E) return pr(D, null), D;
		i === void 0 && (i = fr(a ? e : "<!>" + e), n || (i = /* @__PURE__ */ L(i)));
		var t = r || Gt ? document.importNode(i, !0) : i.cloneNode(!0);
		if (n) {
			var o = /* @__PURE__ */ L(t), s = t.lastChild;
			pr(o, s);
		} else pr(t, t);
		return t;
	};
}
function mr(e = "") {
	if (!E) {
		var t = I(e + "");
		return pr(t, t), t;
	}
	var n = D;
	return n.nodeType === 3 ? en(n) : (n.before(n = I()), O(n)), pr(n, n), n;
}
function hr() {
	if (E) return pr(D, null), D;
	var e = document.createDocumentFragment(), t = document.createComment(""), n = I();
	return e.append(t, n), pr(t, n), e;
}
function X(e, t) {
	if (E) {
		var n = G;
		n.f & 32768 && n.nodes.end !== null || (n.nodes.end = D), xe();
	} else e !== null && e.before(t);
}
// node_modules/svelte/src/reactivity/create-subscriber.js
function gr(e) {
	let t = 0, n = Ft(0), r;
	return () => {
		sn() && (J(n), mn(() => (t === 0 && (r = Zn(() => e(() => Vt(n)))), t += 1, () => {
			Ke(() => {
				--t, t === 0 && (r?.(), r = void 0, Vt(n));
			});
		})));
	};
}
// node_modules/svelte/src/internal/client/dom/blocks/boundary.js
var _r = x | S;
function vr(e, t, n, r) {
	new yr(e, t, n, r);
}
var yr = class {
	parent;
	is_pending = !1;
	transform_error;
	#e;
	#t = E ? D : null;
	#n;
	#r;
	#i;
	#a = null;
	#o = null;
	#s = null;
	#c = null;
	#l = 0;
	#u = 0;
	#d = !1;
	#f = /* @__PURE__ */ new Map();
	#p = null;
	#m = gr(() => (this.#p = Ft(this.#l), () => {
		this.#p = null;
	}));
	constructor(e, t, n, r) {
		this.#e = e, this.#n = t, this.#r = (e) => {
			var t = G;
			t.b = this, t.f |= 128, n(e);
		}, this.parent = G.b, this.transform_error = r ?? this.parent?.transform_error ?? ((e) => e), this.#i = hn(() => {
			if (E) {
				let e = we(this.#t);
				xe();
				let t = e === "[!";
				if (e.startsWith("[?")) {
					let t = JSON.parse(e.slice(2));
					this.#g(t);
				} else t ? this.#y() : this.#h();
			} else this.#b();
		}, _r), E && (this.#e = D);
	}
	#h() {
		try {
			this.#a = H(() => this.#r(this.#e));
		} catch (e) {
			this.error(e);
		}
	}
	#g(e) {
		let t = this.#n.failed, { reset: n, invoke_onerror: r } = this.#_(e);
		Ke(r), t && (this.#s = H(() => {
			t(this.#e, () => e, () => n);
		}));
	}
	#_(e) {
		var t = !1, n = !1;
		let r = () => {
			this.#v() || (t ? ye() : (t = !0, n && Re(), this.#s !== null && xn(this.#s, () => {
				this.#s = null;
			}), this.#S(() => {
				this.#b();
			})));
		};
		return {
			reset: r,
			invoke_onerror: () => {
				if (!this.#v()) try {
					n = !0, this.#n.onerror?.(e, r), n = !1;
				} catch (e) {
					nn(e, this.#i && this.#i.parent);
				}
			}
		};
	}
	#v() {
		return (this.#i.f & (v | b)) !== 0;
	}
	#y() {
		let e = this.#n.pending;
		e && (this.is_pending = !0, this.#o = H(() => e(this.#e)), Ke(() => {
			if (!this.#v()) {
				var e = this.#c = document.createDocumentFragment(), t = I(), n = !1;
				e.append(t), this.#a = this.#S(() => {
					try {
						return H(() => this.#r(t));
					} catch (e) {
						try {
							this.error(e), n = !0;
						} catch (e) {
							nn(e, this.#i.parent);
						}
						return null;
					}
				}), this.#a === null ? (this.#c = null, n && this.#x(N)) : this.#u === 0 && (this.#e.before(e), this.#c = null, xn(this.#o, () => {
					this.#o = null;
				}), this.#x(N));
			}
		}));
	}
	#b() {
		try {
			if (this.is_pending = this.has_pending_snippet(), this.#u = 0, this.#l = 0, this.#a = H(() => {
				this.#r(this.#e);
			}), this.#u > 0) {
				var e = this.#c = document.createDocumentFragment();
				Tn(this.#a, e);
				let t = this.#n.pending;
				this.#o = H(() => t(this.#e));
			} else this.#x(N);
		} catch (e) {
			this.error(e);
		}
	}
	#x(e) {
		this.is_pending = !1, e.transfer_reactions(this.#f);
	}
	defer_effect(e) {
		Xe(e, this.#f);
	}
	is_rendered() {
		return !this.is_pending && (!this.parent || this.parent.is_rendered());
	}
	has_pending_snippet() {
		return !!this.#n.pending;
	}
	#S(e) {
		var t = G, n = W, r = A;
		jn(this.#i), An(this.#i), ze(this.#i.ctx);
		try {
			return wt.ensure(), e();
		} finally {
			jn(t), An(n), ze(r);
		}
	}
	#C(e, t) {
		this.has_pending_snippet() ? (this.#u += e, this.#u === 0 && (this.#x(t), this.#o && xn(this.#o, () => {
			this.#o = null;
		}), this.#c &&= (this.#e.before(this.#c), null))) : this.parent && this.parent.#C(e, t);
	}
	update_pending_count(e, t) {
		this.#C(e, t), this.#l += e, !this.#p || this.#d || (this.#d = !0, Ke(() => {
			this.#d = !1, this.#p && zt(this.#p, this.#l);
		}));
	}
	get_effect_pending() {
		return this.#m(), J(this.#p);
	}
	error(e) {
		if (e === pe || !this.#n.onerror && !this.#n.failed) throw e;
		N?.is_fork ? (this.#a && N.skip_effect(this.#a), this.#o && N.skip_effect(this.#o), this.#s && N.skip_effect(this.#s), N.oncommit(() => {
			this.#v() || this.#w(e);
		})) : this.#w(e);
	}
	#w(e) {
		this.#a &&= (U(this.#a), null), this.#o &&= (U(this.#o), null), this.#s &&= (U(this.#s), null), E && (O(this.#t), Se(), O(Ce()));
		let t = this.#n.failed, n = (e) => {
			if (this.#v()) return;
			let { reset: n, invoke_onerror: r } = this.#_(e);
			r(), t && !this.#v() && (this.#s = this.#S(() => {
				try {
					return H(() => {
						var r = G;
						r.b = this, r.f |= 128, t(this.#e, () => e, () => n);
					});
				} catch (e) {
					return nn(e, this.#i.parent), null;
				}
			}));
		};
		Ke(() => {
			if (!this.#v()) {
				var t;
				try {
					t = this.transform_error(e);
				} catch (e) {
					nn(e, this.#i && this.#i.parent);
					return;
				}
				typeof t == "object" && t && typeof t.then == "function" ? t.then(n, (e) => nn(e, this.#i && this.#i.parent)) : n(t);
			}
		});
	}
};
function Z(e, t) {
	var n = t == null ? "" : typeof t == "object" ? `${t}` : t;
	n !== (e[le] ??= e.nodeValue) && (e[le] = n, e.nodeValue = `${n}`);
}
function br(e, t) {
	return Sr(e, t);
}
var xr = /* @__PURE__ */ new Map();
function Sr(e, { target: t, anchor: n, props: i = {}, events: a, context: o, intro: s = !0, transformError: c }) {
	Jt();
	var l = void 0, u = dn(() => {
		var s = n ?? t.appendChild(I());
		vr(s, { pending: () => {} }, (t) => {
			Be({});
			var n = A;
			if (o && (n.c = o), a && (i.$$events = a), E && pr(t, null), l = e(t, i) || He(), E && (G.nodes.end = D, D === null || D.nodeType !== 8 || D.data !== "]")) throw ve(), pe;
			Ve();
		}, c);
		var u = /* @__PURE__ */ new Set(), d = (e) => {
			for (var n = 0; n < e.length; n++) {
				var r = e[n];
				if (!u.has(r)) {
					u.add(r);
					var i = $n(r);
					for (let e of [t, document]) {
						var a = xr.get(e);
						a === void 0 && (a = /* @__PURE__ */ new Map(), xr.set(e, a));
						var o = a.get(r);
						o === void 0 ? (e.addEventListener(r, lr, { passive: i }), a.set(r, 1)) : a.set(r, o + 1);
					}
				}
			}
		};
		return d(r(tr)), nr.add(d), () => {
			for (var e of u) for (let n of [t, document]) {
				var r = xr.get(n), i = r.get(e);
				--i == 0 ? (n.removeEventListener(e, lr), r.delete(e), r.size === 0 && xr.delete(n)) : r.set(e, i);
			}
			nr.delete(d), s !== n && s.parentNode?.removeChild(s);
		};
	});
	return Cr.set(l, u), l;
}
var Cr = /* @__PURE__ */ new WeakMap(), wr = class {
	anchor;
	#e = /* @__PURE__ */ new Map();
	#t = /* @__PURE__ */ new Map();
	#n = /* @__PURE__ */ new Map();
	#r = /* @__PURE__ */ new Set();
	#i = !0;
	constructor(e, t = !0) {
		this.anchor = e, this.#i = t;
	}
	#a = (e) => {
		if (this.#e.has(e)) {
			var t = this.#e.get(e), n = this.#t.get(t);
			if (n) Cn(n), this.#r.delete(t);
			else {
				var r = this.#n.get(t);
				r && (Cn(r.effect), this.#t.set(t, r.effect), this.#n.delete(t), r.fragment.lastChild.remove(), this.anchor.before(r.fragment), n = r.effect);
			}
			for (let [t, n] of this.#e) {
				if (this.#e.delete(t), t === e) break;
				let r = this.#n.get(n);
				r && (U(r.effect), this.#n.delete(n));
			}
			for (let [e, r] of this.#t) {
				if (e === t || this.#r.has(e)) continue;
				let i = () => {
					if (Array.from(this.#e.values()).includes(e)) {
						var t = document.createDocumentFragment();
						Tn(r, t), t.append(I()), this.#n.set(e, {
							effect: r,
							fragment: t
						});
					} else U(r);
					this.#r.delete(e), this.#t.delete(e);
				};
				this.#i || !n ? (this.#r.add(e), xn(r, i, !1)) : i();
			}
		}
	};
	#o = (e) => {
		this.#e.delete(e);
		let t = Array.from(this.#e.values());
		for (let [e, n] of this.#n) t.includes(e) || (U(n.effect), this.#n.delete(e));
	};
	ensure(e, t) {
		var n = N, r = Qt();
		if (t && !this.#t.has(e) && !this.#n.has(e)) {
			if (r) {
				var i = document.createDocumentFragment(), a = I();
				i.append(a), this.#n.set(e, {
					effect: H(() => t(a)),
					fragment: i
				});
			} else this.#t.set(e, H(() => t(this.anchor)));
		}
		if (this.#e.set(n, e), r) {
			for (let [t, r] of this.#t) t === e ? n.unskip_effect(r) : n.skip_effect(r);
			for (let [t, r] of this.#n) t === e ? n.unskip_effect(r.effect) : n.skip_effect(r.effect);
			n.oncommit(this.#a), n.ondiscard(this.#o);
		} else E && (this.anchor = D), this.#a(n);
	}
};
// node_modules/svelte/src/internal/client/dom/blocks/if.js
function Q(e, t, n = !1) {
	var r;
	E && (r = D, xe());
	var i = new wr(e), a = n ? x : 0;
	function o(e, t) {
		if (E) {
			var n = we(r);
			if (e !== parseInt(n.substring(1))) {
				var a = Ce();
				O(a), i.anchor = a, be(!1), i.ensure(e, t), be(!0);
				return;
			}
		}
		i.ensure(e, t);
	}
	hn(() => {
		var e = !1;
		t((t, n = 0) => {
			e = !0, o(n, t);
		}), e || o(-1, null);
	}, a);
}
// node_modules/svelte/src/internal/client/dom/blocks/each.js
function Tr(e, t) {
	return t;
}
function Er(e, t, n) {
	for (var i = [], a = t.length, o, s = t.length, c = 0; c < a; c++) {
		let n = t[c];
		xn(n, () => {
			if (o) {
				if (o.pending.delete(n), o.done.add(n), o.pending.size === 0) {
					var t = e.outrogroups;
					Dr(e, r(o.done)), t.delete(o), t.size === 0 && (e.outrogroups = null);
				}
			} else --s;
		}, !1);
	}
	if (s === 0) {
		var l = i.length === 0 && n !== null && e.pending.size === 0;
		if (l) {
			var u = n, d = u.parentNode;
			Zt(d), d.append(u), e.items.clear();
		}
		Dr(e, t, !l);
	} else o = {
		pending: new Set(t),
		done: /* @__PURE__ */ new Set()
	}, (e.outrogroups ??= /* @__PURE__ */ new Set()).add(o);
}
function Dr(e, t, n = !0) {
	var r;
	if (e.pending.size > 0) {
		r = /* @__PURE__ */ new Set();
		for (let t of e.pending.values()) for (let n of t) r.add(e.items.get(n).e);
	}
	for (var i = 0; i < t.length; i++) {
		var a = t[i];
		r?.has(a) ? (a.f |= te, Tn(a, document.createDocumentFragment())) : U(t[i], n);
	}
}
var Or;
function kr(t, n, i, a, o, s = null) {
	var c = t, l = /* @__PURE__ */ new Map();
	if (n & 4) {
		var u = t;
		c = E ? O(/* @__PURE__ */ L(u)) : u.appendChild(I());
	}
	E && xe();
	var d = null, f = /* @__PURE__ */ ct(() => {
		var t = i();
		return e(t) ? t : t == null ? [] : r(t);
	}), p = /* @__PURE__ */ new Map(), m = !0;
	function h(e) {
		if (!(_.effect.f & 16384)) {
			_.pending.delete(e);
			var t = J(f);
			_.fallback = d, jr(_, t, c, n, a), d !== null && (t.length === 0 ? d.f & 33554432 ? (d.f ^= te, Nr(d, null, c)) : Cn(d) : xn(d, () => {
				d = null;
			}));
		}
	}
	function g(e) {
		_.pending.delete(e);
	}
	var _ = {
		effect: hn(() => {
			var e = J(f), t = e.length;
			let r = !1;
			E && we(c) === "[!" != (t === 0) && (c = Ce(), O(c), be(!1), r = !0);
			for (var u = /* @__PURE__ */ new Set(), _ = N, v = Qt(), y = 0; y < t; y += 1) {
				E && D.nodeType === 8 && D.data === "]" && (c = D, r = !0, be(!1));
				var b = e[y], x = a(b, y), S = m ? null : l.get(x);
				S ? (S.v && zt(S.v, b), S.i && zt(S.i, y), v && _.unskip_effect(S.e)) : (S = Mr(l, m ? c : Or ??= I(), b, x, y, o, n, i), m || (S.e.f |= te), l.set(x, S)), u.add(x);
			}
			if (t === 0 && s && !d && (m ? d = H(() => s(c)) : (d = H(() => s(Or ??= I())), d.f |= te)), t > u.size && Ae("", "", ""), E && t > 0 && O(Ce()), !m) {
				if (p.set(_, u), v) {
					for (let [e, t] of l) u.has(e) || _.skip_effect(t.e);
					_.oncommit(h), _.ondiscard(g);
				} else h(_);
			}
			r && be(!0), J(f);
		}),
		flags: n,
		items: l,
		pending: p,
		outrogroups: null,
		fallback: d
	};
	m = !1, E && (c = D);
}
function Ar(e) {
	for (; e !== null && !(e.f & 32);) e = e.next;
	return e;
}
function jr(e, t, n, i, a) {
	var o = !!(i & 8), s = t.length, c = e.items, l = Ar(e.effect.first), u, d = null, f, p = [], m = [], h, g, _, v;
	if (o) for (v = 0; v < s; v += 1) h = t[v], g = a(h, v), _ = c.get(g).e, _.f & 33554432 || (_.nodes?.a?.measure(), (f ??= /* @__PURE__ */ new Set()).add(_));
	for (v = 0; v < s; v += 1) {
		if (h = t[v], g = a(h, v), _ = c.get(g).e, e.outrogroups !== null) for (let t of e.outrogroups) t.pending.delete(_), t.done.delete(_);
		if (_.f & 8192 && (Cn(_), o && (_.nodes?.a?.unfix(), (f ??= /* @__PURE__ */ new Set()).delete(_))), _.f & 33554432) {
			if (_.f ^= te, _ === l) Nr(_, null, n);
			else {
				var y = d ? d.next : l;
				_ === e.effect.last && (e.effect.last = _.prev), _.prev && (_.prev.next = _.next), _.next && (_.next.prev = _.prev), Pr(e, d, _), Pr(e, _, y), Nr(_, y, n), d = _, p = [], m = [], l = Ar(d.next);
				continue;
			}
		}
		if (_ !== l) {
			if (u !== void 0 && u.has(_)) {
				if (p.length < m.length) {
					var b = m[0], x;
					d = b.prev;
					var S = p[0], ee = p[p.length - 1];
					for (x = 0; x < p.length; x += 1) Nr(p[x], b, n);
					for (x = 0; x < m.length; x += 1) u.delete(m[x]);
					Pr(e, S.prev, ee.next), Pr(e, d, S), Pr(e, ee, b), l = b, d = ee, --v, p = [], m = [];
				} else u.delete(_), Nr(_, l, n), Pr(e, _.prev, _.next), Pr(e, _, d === null ? e.effect.first : d.next), Pr(e, d, _), d = _;
				continue;
			}
			for (p = [], m = []; l !== null && l !== _;) (u ??= /* @__PURE__ */ new Set()).add(l), m.push(l), l = Ar(l.next);
			if (l === null) continue;
		}
		_.f & 33554432 || p.push(_), d = _, l = Ar(_.next);
	}
	if (e.outrogroups !== null) {
		for (let t of e.outrogroups) t.pending.size === 0 && (Dr(e, r(t.done)), e.outrogroups?.delete(t));
		e.outrogroups.size === 0 && (e.outrogroups = null);
	}
	if (l !== null || u !== void 0) {
		var ne = [];
		if (u !== void 0) for (_ of u) _.f & 8192 || ne.push(_);
		for (; l !== null;) !(l.f & 8192) && l !== e.fallback && ne.push(l), l = Ar(l.next);
		var C = ne.length;
		if (C > 0) {
			var w = i & 4 && s === 0 ? n : null;
			if (o) {
				for (v = 0; v < C; v += 1) ne[v].nodes?.a?.measure();
				for (v = 0; v < C; v += 1) ne[v].nodes?.a?.fix();
			}
			Er(e, ne, w);
		}
	}
	o && Ke(() => {
		if (f !== void 0) for (_ of f) _.nodes?.a?.apply();
	});
}
function Mr(e, t, n, r, i, a, o, s) {
	var c = o & 1 ? o & 16 ? Ft(n) : /* @__PURE__ */ It(n, !1, !1) : null, l = o & 2 ? Ft(i) : null;
	return {
		v: c,
		i: l,
		e: H(() => (a(t, c ?? n, l ?? i, s), () => {
			e.delete(r);
		}))
	};
}
function Nr(e, t, n) {
	if (e.nodes) for (var r = e.nodes.start, i = e.nodes.end, a = t && !(t.f & 33554432) ? t.nodes.start : n; r !== null;) {
		var o = /* @__PURE__ */ Yt(r);
		if (a.before(r), r === i) return;
		r = o;
	}
}
function Pr(e, t, n) {
	t === null ? e.effect.first = n : t.next = n, n === null ? e.effect.last = t : n.prev = t;
}
function Fr(e, t, n = !1, r = !1, i = !1, a = !1) {
	var o = e, s = "";
	if (n) {
		var c = e;
		E && (o = O(/* @__PURE__ */ L(c)));
	}
	V(() => {
		var e = G;
		if (s === (s = t() ?? "")) E && xe();
		else if (n && !E) e.nodes = null, c.innerHTML = s, s !== "" && pr(/* @__PURE__ */ L(c), c.lastChild);
		else if (e.nodes !== null && (yn(e.nodes.start, e.nodes.end), e.nodes = null), s !== "") {
			if (E) {
				for (var a = D.data, l = xe(), u = l; l !== null && (l.nodeType !== 8 || l.data !== "");) u = l, l = /* @__PURE__ */ Yt(l);
				if (l === null) throw ve(), pe;
				pr(D, u), o = O(l);
			} else {
				var d = $t(r ? "svg" : i ? "math" : "template", r ? he : i ? ge : void 0);
				d.innerHTML = s;
				var f = r || i ? d : d.content;
				if (pr(/* @__PURE__ */ L(f), f.lastChild), r || i) for (; /* @__PURE__ */ L(f);) o.before(/* @__PURE__ */ L(f));
				else o.before(f);
			}
		}
	});
}
// node_modules/svelte/src/internal/shared/attributes.js
var Ir = [..." 	\n\r\f\xA0\v﻿"];
function Lr(e, t, n) {
	var r = e == null ? "" : "" + e;
	if (t && (r = r ? r + " " + t : t), n) {
		for (var i of Object.keys(n)) if (n[i]) r = r ? r + " " + i : i;
		else if (r.length) for (var a = i.length, o = 0; (o = r.indexOf(i, o)) >= 0;) {
			var s = o + a;
			(o === 0 || Ir.includes(r[o - 1])) && (s === r.length || Ir.includes(r[s])) ? r = (o === 0 ? "" : r.substring(0, o)) + r.substring(s + 1) : o = s;
		}
	}
	return r === "" ? null : r;
}
function Rr(e, t = !1) {
	var n = t ? " !important;" : ";", r = "";
	for (var i of Object.keys(e)) {
		var a = e[i];
		a != null && a !== "" && (r += " " + i + ": " + a + n);
	}
	return r;
}
function zr(e) {
	return e[0] !== "-" || e[1] !== "-" ? e.toLowerCase() : e;
}
function Br(e, t) {
	if (t) {
		var n = "", r, i;
		if (Array.isArray(t) ? (r = t[0], i = t[1]) : r = t, e) {
			e = String(e).replaceAll(/\/\*.*?\*\//g, "").trim();
			var a = !1, o = 0, s = !1, c = [];
			r && c.push(...Object.keys(r).map(zr)), i && c.push(...Object.keys(i).map(zr));
			var l = 0, u = -1;
			let t = e.length;
			for (var d = 0; d < t; d++) {
				var f = e[d];
				if (s ? f === "/" && e[d - 1] === "*" && (s = !1) : a ? a === f && (a = !1) : f === "/" && e[d + 1] === "*" ? s = !0 : f === "\"" || f === "'" ? a = f : f === "(" ? o++ : f === ")" && o--, !s && a === !1 && o === 0) {
					if (f === ":" && u === -1) u = d;
					else if (f === ";" || d === t - 1) {
						if (u !== -1) {
							var p = zr(e.substring(l, u).trim());
							if (!c.includes(p)) {
								f !== ";" && d++;
								var m = e.substring(l, d).trim();
								n += " " + m + ";";
							}
						}
						l = d + 1, u = -1;
					}
				}
			}
		}
		return r && (n += Rr(r)), i && (n += Rr(i, !0)), n = n.trim(), n === "" ? null : n;
	}
	return e == null ? null : String(e);
}
// node_modules/svelte/src/internal/client/dom/elements/class.js
function Vr(e, t, n, r, i, a) {
	var o = e[se];
	if (E || o !== n || o === void 0) {
		var s = Lr(n, r, a);
		E && s === e.getAttribute("class") || (s == null ? e.removeAttribute("class") : t ? e.className = s : e.setAttribute("class", s)), e[se] = n;
	} else if (a && i !== a) for (var c in a) {
		var l = !!a[c];
		(i == null || l !== !!i[c]) && e.classList.toggle(c, l);
	}
	return a;
}
// node_modules/svelte/src/internal/client/dom/elements/style.js
function Hr(e, t = {}, n, r) {
	for (var i in n) {
		var a = n[i];
		t[i] !== a && (n[i] == null ? e.style.removeProperty(i) : e.style.setProperty(i, a, r));
	}
}
function Ur(e, t, n, r) {
	var i = e[ce];
	if (E || i !== t) {
		var a = Br(t, r);
		E && a === e.getAttribute("style") || (a == null ? e.removeAttribute("style") : e.style.cssText = a), e[ce] = t;
	} else r && (Array.isArray(r) ? (Hr(e, n?.[0], r[0]), Hr(e, n?.[1], r[1], "important")) : Hr(e, n, r));
	return r;
}
// node_modules/svelte/src/internal/client/dom/elements/attributes.js
var Wr = Symbol("is custom element"), Gr = Symbol("is html"), Kr = fe ? "link" : "LINK";
function qr(e) {
	if (E) {
		var t = !1, n = () => {
			if (!t) {
				if (t = !0, e.hasAttribute("value")) {
					var n = e.value;
					$(e, "value", null), e.value = n;
				}
				if (e.hasAttribute("checked")) {
					var r = e.checked;
					$(e, "checked", null), e.checked = r;
				}
			}
		};
		e[ue] = n, Ke(n), Qe();
	}
}
function Jr(e, t) {
	var n = Yr(e);
	n.checked !== (n.checked = t ?? void 0) && (e.checked = t);
}
function $(e, t, n, r) {
	var i = Yr(e);
	if (!(E && (i[t] = e.getAttribute(t), t === "src" || t === "srcset" || t === "href" && e.nodeName === Kr))) {
		var a = i[t];
		a !== (i[t] = n) && (t === "loading" && (e[ae] = n), n == null ? e.removeAttribute(t) : typeof n != "string" && Zr(e).has(t) ? e[t] = n : (!E || typeof n != "number" && typeof n != "boolean" || a !== String(n)) && e.setAttribute(t, n));
	}
}
function Yr(e) {
	return e[oe] ??= {
		[Wr]: e.nodeName.includes("-"),
		[Gr]: e.namespaceURI === me
	};
}
var Xr = /* @__PURE__ */ new Map();
function Zr(e) {
	var t = e.getAttribute("is") || e.nodeName, n = Xr.get(t);
	if (n) return n;
	Xr.set(t, n = /* @__PURE__ */ new Set());
	for (var r, i = e, a = Element.prototype; a !== i;) {
		for (var s in r = o(i), r) r[s].set && s !== "innerHTML" && s !== "textContent" && s !== "innerText" && n.add(s);
		i = l(i);
	}
	return n;
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/input.js
function Qr(e, t, n = t) {
	var r = /* @__PURE__ */ new WeakSet();
	et(e, "input", async (i) => {
		var a = i ? e.defaultValue : e.value;
		if (a = ei(e) ? ti(a) : a, n(a), N !== null && r.add(N), await Jn(), a !== (a = t())) {
			var o = e.selectionStart, s = e.selectionEnd, c = e.value.length;
			if (e.value = a ?? "", s !== null) {
				var l = e.value.length;
				o === s && s === c && l > c ? (e.selectionStart = l, e.selectionEnd = l) : (e.selectionStart = o, e.selectionEnd = Math.min(s, l));
			}
		}
	}), (E && e.defaultValue !== e.value || Zn(t) == null && e.value) && (n(ei(e) ? ti(e.value) : e.value), N !== null && r.add(N)), mn(() => {
		var n = t();
		if (e === document.activeElement) {
			var i = N;
			if (r.has(i)) return;
		}
		ei(e) && n === ti(e.value) || (e.type !== "date" || n || e.value) && n !== e.value && (e.value = n ?? "");
	});
}
function $r(e, t, n = t) {
	et(e, "change", (t) => {
		n(t ? e.defaultChecked : e.checked);
	}), (E && e.defaultChecked !== e.checked || Zn(t) == null) && n(e.checked), mn(() => {
		e.checked = !!t();
	});
}
function ei(e) {
	var t = e.type;
	return t === "number" || t === "range";
}
function ti(e) {
	return e === "" ? null : +e;
}
var ni = /* @__PURE__ */ new class e {
	#e = /* @__PURE__ */ new WeakMap();
	#t;
	#n;
	static entries = /* @__PURE__ */ new WeakMap();
	constructor(e) {
		this.#n = e;
	}
	observe(e, t) {
		var n = this.#e.get(e) || /* @__PURE__ */ new Set();
		return n.add(t), this.#e.set(e, n), this.#r().observe(e, this.#n), () => {
			var n = this.#e.get(e);
			n.delete(t), n.size === 0 && (this.#e.delete(e), this.#t.unobserve(e));
		};
	}
	#r() {
		return this.#t ??= new ResizeObserver((t) => {
			for (var n of t) {
				e.entries.set(n.target, n);
				for (var r of this.#e.get(n.target) || []) r(n);
			}
		});
	}
}({ box: "border-box" });
function ri(e, t, n) {
	var r = ni.observe(e, () => n(e[t]));
	fn(() => (Zn(() => n(e[t])), r));
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/this.js
function ii(e, t) {
	return e === t || e?.[re] === t;
}
function ai(e = He(), t, n, r) {
	var i = A.r, a = G;
	return fn(() => {
		var o, s;
		return mn(() => {
			o = s, s = r?.() || [], Zn(() => {
				ii(n(...s), e) || (t(e, ...s), o && ii(n(...o), e) && t(null, ...o));
			});
		}), () => {
			let r = a;
			for (; r !== i && r.parent !== null && r.parent.f & 33554432;) r = r.parent;
			let o = () => {
				s && ii(n(...s), e) && t(null, ...s);
			}, c = r.teardown;
			r.teardown = () => {
				o(), c?.();
			};
		};
	}), e;
}
function oi(e) {
	A === null && Oe("onMount"), ln(() => {
		let t = Zn(e);
		if (typeof t == "function") return t;
	});
}
// node_modules/svelte/src/internal/disclose-version.js
typeof window < "u" && ((window.__svelte ??= {}).v ??= /* @__PURE__ */ new Set()).add("5");
// src/steps.js
function si(e, t) {
	let n = new Map(t.map((e, t) => [e, t])), r = 0;
	return e.steps.map((t, i) => {
		let a = e.cycle != null && t.step >= e.cycle && r < e.cycle;
		return r = t.step, {
			index: i,
			step: t,
			id: t.parts === 1 || t.part === 1 ? `step-${t.step}` : `step-${t.step}-${t.part}`,
			number: t.parts === 1 ? `${t.step}` : `${t.step}.${t.part}`,
			lane: n.get(t.by.process) ?? 0,
			partner: t.partner ? n.get(t.partner.process) ?? 0 : -1,
			starts: a,
			effects: ci(t)
		};
	});
}
function ci(e) {
	let t = `${e.by.process}:`, n = (e) => e.startsWith(t) ? e.slice(t.length) : e, r = [];
	for (let t of e.messages) {
		let e = `${t.channel}${/received|copied/.test(t.kind) ? "?" : "!"}${t.values.join(",")}`;
		r.push({
			name: t.channel,
			text: t.kind === "lost" ? `${e} lost` : e,
			kind: "message"
		});
	}
	for (let t of e.reads ?? []) e.changes.some((e) => e.name === t.name) || r.push({
		name: t.name,
		text: `reads ${n(t.name)} = ${t.value}`,
		kind: "read"
	});
	for (let t of e.changes) {
		let e = n(t.name), i = t.new == null ? `${e} ends` : t.old == null ? t.new === "running" ? `${e} starts` : `${e} = ${t.new}` : `${e}: ${t.old} → ${t.new}`;
		r.push({
			name: t.name,
			text: i,
			kind: "change"
		});
	}
	for (let t of e.notes ?? []) t.text && r.push({
		name: "",
		text: t.text,
		kind: "note"
	});
	return e.printed && r.push({
		name: "",
		text: `prints ${JSON.stringify(e.printed)}`,
		kind: "note"
	}), e.held?.length && r.push({
		name: "",
		text: `holds ${e.held.join(", ")}`,
		kind: "note"
	}), r;
}
function li(e) {
	let t = /* @__PURE__ */ new Map();
	for (let n of e.steps) {
		for (let e of n.changes) t.has(e.name) || t.set(e.name, e.old);
		for (let e of n.reads ?? []) t.has(e.name) || t.set(e.name, e.value);
	}
	return t;
}
function ui(e, t, n) {
	let r = new Map(t);
	for (let t = 0; t <= n; t += 1) for (let n of e.steps[t].changes) r.set(n.name, n.new);
	return {
		values: r,
		changed: new Map(e.steps[n].changes.map((e) => [e.name, e.old]))
	};
}
function di(e) {
	let t = /* @__PURE__ */ new Map();
	for (let n of e) {
		let e = n.indexOf(":"), r = e > 0 && n[e + 1] !== ":" ? n.slice(0, e) : "", i = r ? n.slice(e + 1) : n, a = /^[^.[]*/.exec(i)[0];
		t.has(r) || t.set(r, /* @__PURE__ */ new Map());
		let o = t.get(r);
		o.has(a) || o.set(a, []), o.get(a).push({
			name: n,
			part: i
		});
	}
	return [...t].map(([e, t]) => ({
		owner: e,
		roots: [...t].map(([e, t]) => ({
			root: e,
			items: t
		}))
	}));
}
// src/expression.js
var fi = [
	["||"],
	["&&"],
	["==", "!="],
	[
		"<=",
		">=",
		"<",
		">"
	],
	["+", "-"],
	[
		"*",
		"/",
		"%"
	]
];
function pi(e) {
	let t = e.match(/\|\||&&|==|!=|<=|>=|[-+*/%<>!()]|[A-Za-z_][\w.:()[\]]*[\w\])]|[A-Za-z_]|\d+|\S/g) ?? [], n = 0, r = (e) => {
		if (e === fi.length) return i();
		let a = r(e + 1);
		for (; fi[e].includes(t[n]);) {
			let i = t[n++], [o, s] = [a, r(e + 1)];
			a = (e) => vi(i, o(e), s(e));
		}
		return a;
	}, i = () => {
		let e = t[n++];
		if (e === "!") {
			let e = i();
			return (t) => gi(hi(e(t)) === !1, e(t));
		}
		if (e === "-") {
			let e = i();
			return (t) => _i(e(t));
		}
		if (e === "(") {
			let e = r(0);
			if (t[n++] !== ")") throw Error("a `)` is missing");
			return e;
		}
		if (e === void 0) throw Error("the expression ends too early");
		if (/^\d/.test(e)) return () => Number(e);
		if (/^[A-Za-z_]/.test(e)) return (t) => mi(t, e);
		throw Error(`unexpected \`${e}\``);
	}, a = r(0);
	if (n < t.length) throw Error(`unexpected \`${t[n]}\``);
	return a;
}
function mi(e, t) {
	let n = e.get(t);
	if (n == null) return;
	if (n === "true") return 1;
	if (n === "false") return 0;
	let r = Number(n);
	return Number.isNaN(r) ? n : r;
}
var hi = (e) => e === void 0 ? void 0 : e !== 0, gi = (e, t) => t === void 0 ? void 0 : Number(e), _i = (e) => typeof e == "number" ? -e : void 0;
function vi(e, t, n) {
	if (t !== void 0 && n !== void 0) {
		switch (e) {
			case "||": return Number(hi(t) || hi(n));
			case "&&": return Number(hi(t) && hi(n));
			case "==": return Number(t === n);
			case "!=": return Number(t !== n);
		}
		if (typeof t == "number" && typeof n == "number") switch (e) {
			case "<": return Number(t < n);
			case "<=": return Number(t <= n);
			case ">": return Number(t > n);
			case ">=": return Number(t >= n);
			case "+": return t + n;
			case "-": return t - n;
			case "*": return t * n;
			case "/": return n === 0 ? void 0 : Math.trunc(t / n);
			default: return n === 0 ? void 0 : t % n;
		}
	}
}
// src/Source.svelte
var yi = /* @__PURE__ */ Y("<a> </a>"), bi = /* @__PURE__ */ Y("<p class=\"quiet svelte-1ktrefi\">Axle generates this part: it chooses the provisioning before the software starts.</p>"), xi = /* @__PURE__ */ Y("<p class=\"quiet svelte-1ktrefi\">The file is not part of the project.</p>"), Si = /* @__PURE__ */ Y("<button type=\"button\" class=\"line-link svelte-1ktrefi\"> </button>"), Ci = /* @__PURE__ */ Y("<span class=\"line-plain svelte-1ktrefi\"> </span>"), wi = /* @__PURE__ */ Y("<div><!> <code class=\"svelte-1ktrefi\"></code></div>"), Ti = /* @__PURE__ */ Y("<section class=\"source-panel svelte-1ktrefi\" aria-label=\"Source\"><h3 class=\"svelte-1ktrefi\"><!></h3> <!> <!> <div class=\"lines svelte-1ktrefi\" tabindex=\"0\" role=\"group\"></div></section>");
function Ei(e, t) {
	Be(t, !0);
	let n = /* @__PURE__ */ new Map(), r = /* @__PURE__ */ P(Ut([])), i = /* @__PURE__ */ P(""), a = /* @__PURE__ */ P(!1), o = /* @__PURE__ */ P(void 0), s = /* @__PURE__ */ M(() => t.row.step.by.place), c = /* @__PURE__ */ M(() => {
		let e = /* @__PURE__ */ new Map();
		for (let n of t.all) {
			let t = n.step.by.place;
			t?.file === J(i) && (e.has(t.line) || e.set(t.line, []), e.get(t.line).push(n.index));
		}
		return e;
	});
	async function l(e) {
		if (!n.has(e)) {
			let t = await fetch(`/api/source/${e.split("/").map(encodeURIComponent).join("/")}`);
			n.set(e, t.ok ? (await t.json()).lines : null);
		}
		return n.get(e);
	}
	ln(() => {
		let e = J(s)?.file, t = J(s)?.line;
		e && (e.startsWith("<") ? (F(i, e, !0), F(r, [], !0), F(a, !1)) : l(e).then(async (n) => {
			if (J(s)?.file !== e) return;
			F(i, e, !0), F(a, n === null), F(r, n ?? [], !0), await Jn();
			let c = J(o)?.querySelector(`[data-line="${t}"]`);
			c && (J(o).scrollTop = c.offsetTop - J(o).clientHeight / 2);
		}));
	});
	function u(e) {
		let n = J(c).get(e) ?? [], r = n.find((e) => e > t.row.index) ?? n[0];
		r !== void 0 && t.onselect(r);
	}
	var d = Ti(), f = R(d), p = R(f), m = (e) => {
		var t = mr();
		V(() => Z(t, J(s).file)), X(e, t);
	}, h = /* @__PURE__ */ M(() => J(s)?.file.startsWith("<")), g = (e) => {
		var t = yi(), n = z(t);
		V((e) => {
			$(t, "href", `/source/${e ?? ""}#L${J(s).line ?? ""}`), Z(n, `${J(s).file ?? ""}:${J(s).line ?? ""}`);
		}, [() => J(s).file.split("/").map(encodeURIComponent).join("/")]), X(e, t);
	}, _ = (e) => {
		X(e, mr("No source line"));
	};
	Q(p, (e) => {
		J(h) ? e(m) : J(s) ? e(g, 1) : e(_, -1);
	}), k(f);
	var v = B(f, 2), y = (e) => {
		X(e, bi());
	}, b = /* @__PURE__ */ M(() => J(s)?.file.startsWith("<"));
	Q(v, (e) => {
		J(b) && e(y);
	});
	var x = B(v, 2), S = (e) => {
		X(e, xi());
	};
	Q(x, (e) => {
		J(a) && e(S);
	});
	var ee = B(x, 2);
	kr(ee, 21, () => J(r), Tr, (e, t, n) => {
		let r = /* @__PURE__ */ M(() => n + 1);
		var a = wi();
		let o;
		var l = R(a), d = (e) => {
			var t = Si(), n = z(t, !0);
			V((e) => {
				$(t, "title", `${e ?? ""} steps; go to the next one`), $(t, "aria-label", `line ${J(r) ?? ""}: go to its next step`), Z(n, J(r));
			}, [() => J(c).get(J(r)).length]), ar("click", t, () => u(J(r))), X(e, t);
		}, f = /* @__PURE__ */ M(() => J(c).has(J(r))), p = (e) => {
			var t = Ci(), n = z(t, !0);
			V(() => Z(n, J(r))), X(e, t);
		};
		Q(l, (e) => {
			J(f) ? e(d) : e(p, -1);
		});
		var m = B(l, 2);
		Fr(m, () => J(t), !0), k(m), k(a), V((e) => {
			o = Vr(a, 1, "code-line svelte-1ktrefi", null, o, {
				"is-current": J(r) === J(s)?.line && J(i) === J(s)?.file,
				"is-executed": e
			}), $(a, "data-line", J(r));
		}, [() => J(c).has(J(r))]), X(e, a);
	}), k(ee), ai(ee, (e) => F(o, e), () => J(o)), k(d), V(() => $(ee, "aria-label", `Lines of ${J(i) ?? ""}`)), X(e, d), Ve();
}
or(["click"]);
// src/Sequence.svelte
var Di = /* @__PURE__ */ Y("<span class=\"quiet\" role=\"status\"> </span> <button class=\"button\" type=\"button\" aria-label=\"Previous match\">↑</button><button class=\"button\" type=\"button\" aria-label=\"Next match\">↓</button>", 1), Oi = /* @__PURE__ */ Y("<label class=\"check\"><input type=\"checkbox\"/> <span> </span></label>"), ki = /* @__PURE__ */ Y("<details class=\"picker svelte-1v1ajg2\"><summary class=\"svelte-1v1ajg2\"> </summary> <div class=\"picker-list svelte-1v1ajg2\"></div></details>"), Ai = /* @__PURE__ */ Y("<details class=\"picker svelte-1v1ajg2\"><summary class=\"svelte-1v1ajg2\"> </summary> <div class=\"picker-list svelte-1v1ajg2\"><div class=\"picker-all svelte-1v1ajg2\"><button class=\"button\" type=\"button\">all</button><button class=\"button\" type=\"button\">none</button></div> <!></div></details>"), ji = /* @__PURE__ */ Y("<span> </span>"), Mi = /* @__PURE__ */ Y("<span class=\"cycle-sign svelte-1v1ajg2\" title=\"the cycle begins\">↻</span>"), Ni = /* @__PURE__ */ Y("<code> </code>"), Pi = /* @__PURE__ */ Y("<span class=\"cell svelte-1v1ajg2\"><!></span>"), Fi = /* @__PURE__ */ Y("<b class=\"violation\"> </b>"), Ii = /* @__PURE__ */ Y("<div role=\"option\" tabindex=\"-1\"><span class=\"step-number svelte-1v1ajg2\"> <!></span> <!> <span class=\"cell effect svelte-1v1ajg2\"> <!></span></div>"), Li = /* @__PURE__ */ Y("<p> </p>"), Ri = /* @__PURE__ */ Y("<div class=\"sequence-ending svelte-1v1ajg2\"></div>"), zi = /* @__PURE__ */ Y("<span class=\"quiet\"> </span>"), Bi = /* @__PURE__ */ Y("<p class=\"observed svelte-1v1ajg2\"> <!></p>"), Vi = /* @__PURE__ */ Y("<p class=\"quiet\"> </p>"), Hi = /* @__PURE__ */ Y("<p class=\"violation\" role=\"alert\"> </p>"), Ui = /* @__PURE__ */ Y("<tr><th scope=\"row\" class=\"svelte-1v1ajg2\"><code> </code></th><td class=\"svelte-1v1ajg2\"> </td><td class=\"svelte-1v1ajg2\"><button class=\"remove svelte-1v1ajg2\" type=\"button\">×</button></td></tr>"), Wi = /* @__PURE__ */ Y("<table class=\"value-table svelte-1v1ajg2\"><tbody></tbody></table>"), Gi = /* @__PURE__ */ Y("<h4 class=\"svelte-1v1ajg2\"> </h4>"), Ki = /* @__PURE__ */ Y("<del class=\"svelte-1v1ajg2\"> </del> →", 1), qi = /* @__PURE__ */ Y("<tr><th scope=\"row\" class=\"svelte-1v1ajg2\"><code> </code></th><td class=\"svelte-1v1ajg2\"><!> </td></tr>"), Ji = /* @__PURE__ */ Y("<!> <table class=\"value-table svelte-1v1ajg2\"><tbody></tbody></table>", 1), Yi = /* @__PURE__ */ Y("<div class=\"viewer-bar svelte-1v1ajg2\"><div class=\"search svelte-1v1ajg2\"><label class=\"hidden\" for=\"sequence-search\">Search the steps</label> <input id=\"sequence-search\" type=\"search\" placeholder=\"Search ( / )\" class=\"svelte-1v1ajg2\"/> <!></div> <label class=\"check\"><input type=\"checkbox\"/> <span>only changes</span></label> <!> <!> <span class=\"viewer-position svelte-1v1ajg2\"> </span> <span class=\"quiet keys svelte-1v1ajg2\"><kbd class=\"svelte-1v1ajg2\">j</kbd> <kbd class=\"svelte-1v1ajg2\">k</kbd> step, <kbd class=\"svelte-1v1ajg2\">n</kbd> match, <kbd class=\"svelte-1v1ajg2\">c</kbd> changes</span></div> <div class=\"viewer svelte-1v1ajg2\"><div class=\"steps-panel svelte-1v1ajg2\"><div class=\"lane-heads svelte-1v1ajg2\"><span class=\"head-number svelte-1v1ajg2\">step</span> <!> <span class=\"head-effect svelte-1v1ajg2\">effect</span></div> <div class=\"steps svelte-1v1ajg2\" role=\"listbox\" aria-label=\"Steps\" tabindex=\"0\"><div class=\"steps-space svelte-1v1ajg2\"></div></div> <!></div> <aside class=\"side svelte-1v1ajg2\" aria-label=\"Current step\"><!> <section class=\"values svelte-1v1ajg2\" aria-labelledby=\"values-heading\"><h3 id=\"values-heading\"> </h3> <!> <!> <form class=\"watch svelte-1v1ajg2\"><label class=\"hidden\" for=\"watch\">Expression to watch</label><input id=\"watch\" placeholder=\"watch an expression: x + y > 2\" class=\"svelte-1v1ajg2\"/><button class=\"button\" type=\"submit\">Watch</button></form> <!> <!> <!> <!></section></aside></div>", 1);
function Xi(e, t) {
	Be(t, !0);
	let { trace: n, lanes: r } = t.sequence, i = si(n, r), a = li(n), o = /* @__PURE__ */ P(0), s = /* @__PURE__ */ P(""), c = /* @__PURE__ */ P(!1), l = /* @__PURE__ */ P(Ut(/* @__PURE__ */ new Set())), u = /* @__PURE__ */ P(Ut(/* @__PURE__ */ new Set())), d = /* @__PURE__ */ P(Ut([])), f = /* @__PURE__ */ P(""), p = /* @__PURE__ */ P(""), m = /* @__PURE__ */ P(void 0), h = /* @__PURE__ */ P(void 0), g = /* @__PURE__ */ P(0), _ = /* @__PURE__ */ P(480), v = (e) => {
		let t = J(s).trim().toLowerCase();
		return t ? [
			e.step.by.process,
			e.step.by.statement,
			e.step.by.place?.file ?? "",
			...e.effects.map((e) => e.text)
		].some((e) => e.toLowerCase().includes(t)) : !1;
	}, y = /* @__PURE__ */ M(() => i.filter((e) => J(l).has(e.lane) && (e.partner < 0 || J(l).has(e.partner)) ? !1 : !J(c) || e.step.faults.length > 0 || e.effects.some((e) => e.kind !== "read" && !J(u).has(e.name)))), b = /* @__PURE__ */ M(() => J(s).trim() ? J(y).filter(v) : []), x = /* @__PURE__ */ M(() => new Set(J(b).map((e) => e.index))), S = /* @__PURE__ */ M(() => Math.max(0, J(y).findIndex((e) => e.index >= J(o)))), ee = /* @__PURE__ */ M(() => Math.max(0, Math.floor(J(g) / 28) - 8)), te = /* @__PURE__ */ M(() => Math.min(J(y).length, Math.ceil((J(g) + J(_)) / 28) + 8)), ne = /* @__PURE__ */ M(() => J(y).slice(J(ee), J(te))), C = /* @__PURE__ */ M(() => i[J(o)]), w = /* @__PURE__ */ M(() => ui(n, a, J(o))), re = /* @__PURE__ */ M(() => di([...a.keys()].filter((e) => !J(u).has(e) && (!J(c) || J(w).changed.has(e))))), ie = /* @__PURE__ */ M(() => r.map((e, t) => ({
		name: e,
		index: t
	})).filter((e) => !J(l).has(e.index))), ae = n.steps.at(-1).step;
	function oe(e, t = !0) {
		F(o, Math.min(Math.max(e, 0), i.length - 1), !0), history.replaceState(null, "", `#${i[J(o)].id}`), se(), t && J(m)?.focus({ preventScroll: !0 });
	}
	async function se() {
		if (await Jn(), !J(m)) return;
		let e = J(S) * 28;
		e < J(m).scrollTop ? J(m).scrollTop = e : e + 28 > J(m).scrollTop + J(m).clientHeight && (J(m).scrollTop = e + 28 - J(m).clientHeight);
	}
	function ce(e) {
		let t = J(y)[Math.min(Math.max(J(S) + e, 0), J(y).length - 1)];
		t && oe(t.index);
	}
	function le(e) {
		J(b).length !== 0 && oe(((e > 0 ? J(b).find((e) => e.index > J(o)) : J(b).findLast((e) => e.index < J(o))) ?? (e > 0 ? J(b)[0] : J(b).at(-1))).index, !1);
	}
	function ue(e) {
		if (e.ctrlKey || e.metaKey || e.altKey) return;
		if (e.target.matches("input:not([type=checkbox]), textarea, select")) {
			e.key === "Enter" && e.target === J(h) && (le(e.shiftKey ? -1 : 1), e.preventDefault()), e.key === "Escape" && J(m)?.focus();
			return;
		}
		let t = Math.max(1, Math.floor(J(_) / 28) - 1), n = {
			j: () => ce(1),
			ArrowDown: () => ce(1),
			k: () => ce(-1),
			ArrowUp: () => ce(-1),
			PageDown: () => ce(t),
			PageUp: () => ce(-t),
			Home: () => ce(-J(y).length),
			End: () => ce(J(y).length),
			n: () => le(1),
			N: () => le(-1),
			c: () => {
				F(c, !J(c)), se();
			},
			"/": () => J(h)?.focus()
		}[e.key];
		!n || e.target.closest("summary, a, button") && /^(Arrow|Page|Home|End)/.test(e.key) && !J(m)?.contains(e.target) || (e.preventDefault(), n());
	}
	function de(e, t) {
		let n = new Set(e);
		return n.delete(t) || n.add(t), n;
	}
	function fe(e) {
		e.preventDefault();
		try {
			F(d, [...J(d), {
				text: J(f).trim(),
				value: pi(J(f))
			}], !0), F(f, ""), F(p, "");
		} catch (e) {
			F(p, e.message, !0);
		}
	}
	function pe() {
		let e = location.hash.slice(1) || `step-${new URLSearchParams(location.search).get("step") ?? ""}`, t = i.findIndex((t) => t.id === e);
		F(o, t >= 0 ? t : 0, !0), se();
	}
	oi(() => (pe(), scrollTo(0, 0), addEventListener("hashchange", pe), () => removeEventListener("hashchange", pe)));
	var T = Yi();
	ir("keydown", Wt, ue);
	var me = Xt(T), he = R(me), ge = B(R(he), 2);
	qr(ge), ai(ge, (e) => F(h, e), () => J(h));
	var _e = B(ge, 2), ve = (e) => {
		var t = Di(), n = Xt(t), r = z(n), i = B(n, 2), a = B(i);
		V(() => Z(r, `${J(b).length ?? ""} ${J(b).length === 1 ? "match" : "matches"}`)), ar("click", i, () => le(-1)), ar("click", a, () => le(1)), X(e, t);
	}, ye = /* @__PURE__ */ M(() => J(s).trim());
	Q(_e, (e) => {
		J(ye) && e(ve);
	}), k(he);
	var E = B(he, 2), be = R(E);
	qr(be), Se(2), k(E);
	var D = B(E, 2), O = (e) => {
		var t = ki(), n = R(t), i = z(n), a = B(n, 2);
		kr(a, 21, () => r, Tr, (e, t, n) => {
			var r = Oi(), i = R(r);
			qr(i);
			var a = z(B(i, 2), !0);
			k(r), V((e) => {
				Jr(i, e), Z(a, J(t));
			}, [() => !J(l).has(n)]), ar("change", i, () => {
				F(l, de(J(l), n), !0), se();
			}), X(e, r);
		}), k(a), k(t), V(() => Z(i, `Processes${J(l).size ? `: ${J(l).size} hidden` : ""}`)), X(e, t);
	};
	Q(D, (e) => {
		r.length > 1 && e(O);
	});
	var xe = B(D, 2), Ce = (e) => {
		var t = Ai(), n = R(t), r = z(n), i = B(n, 2), o = R(i), s = R(o), c = B(s);
		k(o), kr(B(o, 2), 17, () => [...a.keys()], Tr, (e, t) => {
			var n = Oi(), r = R(n);
			qr(r);
			var i = z(B(r, 2), !0);
			k(n), V((e) => {
				Jr(r, e), Z(i, J(t));
			}, [() => !J(u).has(J(t))]), ar("change", r, () => {
				F(u, de(J(u), J(t)), !0);
			}), X(e, n);
		}), k(i), k(t), V(() => Z(r, `Variables${J(u).size ? `: ${J(u).size} hidden` : ""}`)), ar("click", s, () => {
			F(u, /* @__PURE__ */ new Set(), !0);
		}), ar("click", c, () => {
			F(u, new Set(a.keys()), !0);
		}), X(e, t);
	};
	Q(xe, (e) => {
		a.size > 0 && e(Ce);
	});
	var we = z(B(xe, 2));
	Se(2), k(me);
	var Te = B(me, 2), Ee = R(Te), De = R(Ee);
	let Oe;
	kr(B(R(De), 2), 17, () => J(ie), Tr, (e, t) => {
		var n = ji(), r = z(n, !0);
		V(() => {
			Vr(n, 1, `lane-head lane-${J(t).index % 6}`, "svelte-1v1ajg2"), Z(r, J(t).name);
		}), X(e, n);
	}), Se(2), k(De);
	var ke = B(De, 2), Ae = R(ke);
	let je;
	kr(Ae, 23, () => J(ne), (e) => e.index, (e, t, n) => {
		var r = Ii();
		let i, a;
		var s = R(r), c = R(s, !0), l = B(c), d = (e) => {
			X(e, Mi());
		};
		Q(l, (e) => {
			J(t).starts && e(d);
		}), k(s);
		var f = B(s, 2);
		kr(f, 17, () => J(ie), Tr, (e, n) => {
			var r = Pi(), i = R(r), a = (e) => {
				var r = Ni(), i = z(r, !0);
				V(() => {
					Vr(r, 1, `lane-${J(n).index % 6}`, "svelte-1v1ajg2"), Z(i, J(t).step.by.statement);
				}), X(e, r);
			}, o = (e) => {
				var r = Ni(), i = z(r, !0);
				V(() => {
					Vr(r, 1, `lane-${J(n).index % 6}`, "svelte-1v1ajg2"), Z(i, J(t).step.partner.statement);
				}), X(e, r);
			};
			Q(i, (e) => {
				J(n).index === J(t).lane ? e(a) : J(n).index === J(t).partner && e(o, 1);
			}), k(r), X(e, r);
		});
		var p = B(f, 2), m = R(p, !0);
		kr(B(m), 17, () => J(t).step.faults, Tr, (e, t) => {
			var n = Fi(), r = z(n, !0);
			V(() => Z(r, J(t))), X(e, n);
		}), k(p), k(r), V((e, s) => {
			i = Vr(r, 1, "step svelte-1v1ajg2", null, i, {
				"is-current": J(t).index === J(o),
				"is-match": e,
				"starts-cycle": J(t).starts,
				"has-fault": J(t).step.faults.length > 0
			}), $(r, "id", `row-${J(t).index ?? ""}`), $(r, "aria-selected", J(t).index === J(o)), $(r, "aria-setsize", J(y).length), $(r, "aria-posinset", J(ee) + J(n) + 1), a = Ur(r, "", a, {
				transform: `translateY(${(J(ee) + J(n)) * 28}px)`,
				"--lanes": J(ie).length
			}), Z(c, J(t).number), Z(m, s);
		}, [() => J(x).has(J(t).index), () => J(t).effects.filter((e) => !J(u).has(e.name)).map((e) => e.text).join("; ")]), ar("click", r, () => oe(J(t).index)), ar("keydown", r, (e) => {
			e.key === "Enter" && oe(J(t).index);
		}), X(e, r);
	}), k(Ae), k(ke), ai(ke, (e) => F(m, e), () => J(m));
	var Me = B(ke, 2), Ne = (e) => {
		var t = Ri();
		kr(t, 21, () => n.ending, Tr, (e, t) => {
			var n = Li(), r = z(n, !0);
			V(() => Z(r, J(t))), X(e, n);
		}), k(t), X(e, t);
	};
	Q(Me, (e) => {
		n.ending.length > 0 && e(Ne);
	}), k(Ee);
	var Pe = B(Ee, 2), Fe = R(Pe);
	Ei(Fe, {
		get row() {
			return J(C);
		},
		get all() {
			return i;
		},
		onselect: (e) => oe(e)
	});
	var Ie = B(Fe, 2), Le = R(Ie), Re = z(Le), A = B(Le, 2), ze = (e) => {
		var t = Bi(), n = R(t, !0), r = B(n), i = (e) => {
			var t = zi(), n = z(t);
			V(() => Z(n, `; claim state ${J(C).step.observed.claim ?? ""}`)), X(e, t);
		};
		Q(r, (e) => {
			J(C).step.observed.claim != null && e(i);
		}), k(t), V((e) => Z(n, e), [() => J(C).step.observed.holds.length ? J(C).step.observed.holds.join(", ") : "no proposition holds"]), X(e, t);
	};
	Q(A, (e) => {
		J(C).step.observed && e(ze);
	});
	var He = B(A, 2), Ue = (e) => {
		var t = Vi(), n = z(t);
		V((e) => Z(n, `holds ${e ?? ""}`), [() => J(C).step.held.join(", ")]), X(e, t);
	};
	Q(He, (e) => {
		J(C).step.held?.length && e(Ue);
	});
	var We = B(He, 2), Ge = B(R(We));
	qr(Ge), Se(), k(We);
	var Ke = B(We, 2), qe = (e) => {
		var t = Hi(), n = z(t, !0);
		V(() => Z(n, J(p))), X(e, t);
	};
	Q(Ke, (e) => {
		J(p) && e(qe);
	});
	var Je = B(Ke, 2), j = (e) => {
		var t = Wi(), n = R(t);
		kr(n, 21, () => J(d), Tr, (e, t, n) => {
			var r = Ui(), i = R(r), a = z(R(i), !0);
			k(i);
			var o = B(i), s = z(o, !0), c = z(B(o));
			k(r), V((e) => {
				Z(a, J(t).text), Z(s, e), $(c, "aria-label", `remove ${J(t).text ?? ""}`);
			}, [() => J(t).value(J(w).values) ?? "no value"]), ar("click", c, () => {
				F(d, J(d).toSpliced(n, 1), !0);
			}), X(e, r);
		}), k(n), k(t), X(e, t);
	};
	Q(Je, (e) => {
		J(d).length > 0 && e(j);
	});
	var Ye = B(Je, 2), Xe = (e) => {
		var t = Vi(), n = z(t, !0);
		V(() => Z(n, J(c) ? "This step changes nothing that is shown." : "The execution changes no variable.")), X(e, t);
	};
	Q(Ye, (e) => {
		J(re).length === 0 && e(Xe);
	}), kr(B(Ye, 2), 17, () => J(re), Tr, (e, t) => {
		var n = Ji(), r = Xt(n), i = (e) => {
			var n = Gi(), r = z(n, !0);
			V(() => Z(r, J(t).owner)), X(e, n);
		};
		Q(r, (e) => {
			J(t).owner && e(i);
		});
		var a = B(r, 2), o = R(a);
		kr(o, 21, () => J(t).roots, Tr, (e, t) => {
			var n = hr();
			kr(Xt(n), 17, () => J(t).items, Tr, (e, n, r) => {
				var i = qi();
				let a;
				var o = R(i), s = R(o);
				let c;
				var l = z(s, !0);
				k(o);
				var u = B(o), d = R(u), f = (e) => {
					var t = Ki(), r = z(Xt(t), !0);
					Se(), V((e) => Z(r, e), [() => J(w).changed.get(J(n).name)]), X(e, t);
				}, p = /* @__PURE__ */ M(() => J(w).changed.has(J(n).name) && J(w).changed.get(J(n).name) != null);
				Q(d, (e) => {
					J(p) && e(f);
				});
				var m = B(d, 1, !0);
				k(u), k(i), V((e, o) => {
					a = Vr(i, 1, "svelte-1v1ajg2", null, a, { "is-changed-value": e }), c = Vr(s, 1, "svelte-1v1ajg2", null, c, { "is-part": r > 0 && J(t).items.length > 1 }), Z(l, J(n).part), Z(m, o);
				}, [() => J(w).changed.has(J(n).name), () => J(w).values.get(J(n).name) ?? "none"]), X(e, i);
			}), X(e, n);
		}), k(o), k(a), X(e, n);
	}), k(Ie), k(Pe), k(Te), V(() => {
		Z(we, `step ${J(C).number ?? ""} of ${ae ?? ""}${J(y).length < i.length ? `, ${J(y).length} of ${i.length} rows shown` : ""}`), Oe = Ur(De, "", Oe, { "--lanes": J(ie).length }), $(ke, "aria-activedescendant", J(C) ? `row-${J(C).index}` : void 0), je = Ur(Ae, "", je, { height: `${J(y).length * 28}px` }), Z(Re, `Values after step ${J(C).number ?? ""}`);
	}), Qr(ge, () => J(s), (e) => F(s, e)), ar("change", be, se), $r(be, () => J(c), (e) => F(c, e)), ir("scroll", ke, () => {
		F(g, J(m).scrollTop, !0);
	}), ri(ke, "clientHeight", (e) => F(_, e)), ir("submit", We, fe), Qr(Ge, () => J(f), (e) => F(f, e)), X(e, T), Ve();
}
or([
	"click",
	"change",
	"keydown"
]);
// src/sequence.js
var Zi = document.querySelector("[data-sequence]");
if (Zi) {
	let e = await fetch(Zi.dataset.sequence);
	if (e.ok) {
		let t = await e.json();
		t.trace.steps.length > 0 && (Zi.replaceChildren(), br(Xi, {
			target: Zi,
			props: { sequence: t }
		}));
	}
}
