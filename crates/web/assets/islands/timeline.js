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
function m(e, t) {
	if (Array.isArray(e)) return e;
	if (t === void 0 || !(Symbol.iterator in e)) return Array.from(e);
	let n = [];
	for (let r of e) if (n.push(r), n.length === t) break;
	return n;
}
var h = 1024, g = 2048, _ = 4096, v = 8192, y = 16384, b = 32768, x = 1 << 25, S = 65536, C = 1 << 19, ee = 1 << 20, te = 1 << 25, ne = 1 << 21, re = 1 << 22, ie = 1 << 23, ae = Symbol("$state"), oe = Symbol("component"), se = Symbol("legacy props"), ce = Symbol(""), le = Symbol("attributes"), ue = Symbol("class"), de = Symbol("style"), fe = Symbol("text"), pe = Symbol("form reset"), me = new class extends Error {
	name = "StaleReactionError";
	message = "The reaction that called `getAbortSignal()` was re-run or destroyed";
}(), he = !!globalThis.document?.contentType && /* @__PURE__ */ globalThis.document.contentType.includes("xml"), ge = {}, w = Symbol("uninitialized"), _e = "http://www.w3.org/1999/xhtml", ve = "http://www.w3.org/2000/svg", ye = "http://www.w3.org/1998/Math/MathML";
function be() {
	console.warn("https://svelte.dev/e/derived_inert");
}
function xe(e) {
	console.warn("https://svelte.dev/e/hydration_mismatch");
}
function Se() {
	console.warn("https://svelte.dev/e/select_multiple_invalid_value");
}
function Ce() {
	console.warn("https://svelte.dev/e/svelte_boundary_reset_noop");
}
// node_modules/svelte/src/internal/client/dom/hydration.js
var T = !1;
function we(e) {
	T = e;
}
var E;
function D(e) {
	if (e === null) throw xe(), ge;
	return E = e;
}
function Te() {
	return D(/* @__PURE__ */ Qt(E));
}
function O(e) {
	if (T) {
		if (/* @__PURE__ */ Qt(E) !== null) throw xe(), ge;
		E = e;
	}
}
function Ee(e = 1) {
	if (T) {
		for (var t = e, n = E; t--;) n = /* @__PURE__ */ Qt(n);
		E = n;
	}
}
function De(e = !0) {
	for (var t = 0, n = E;;) {
		if (n.nodeType === 8) {
			var r = n.data;
			if (r === "]") {
				if (t === 0) return n;
				--t;
			} else (r === "[" || r === "[!" || r[0] === "[" && !isNaN(Number(r.slice(1)))) && (t += 1);
		}
		var i = /* @__PURE__ */ Qt(n);
		e && n.remove(), n = i;
	}
}
function Oe(e) {
	if (!e || e.nodeType !== 8) throw xe(), ge;
	return e.data;
}
// node_modules/svelte/src/internal/client/reactivity/equality.js
function ke(e) {
	return e === this.v;
}
function Ae(e, t) {
	return e == e ? e !== t || typeof e == "object" && !!e || typeof e == "function" : t == t;
}
function je(e) {
	return !Ae(e, this.v);
}
// node_modules/svelte/src/internal/client/errors.js
function Me() {
	throw Error("https://svelte.dev/e/async_derived_orphan");
}
function Ne(e, t, n) {
	throw Error("https://svelte.dev/e/each_key_duplicate");
}
function Pe() {
	throw Error("https://svelte.dev/e/effect_update_depth_exceeded");
}
function Fe(e) {
	throw Error("https://svelte.dev/e/props_invalid_value");
}
function Ie() {
	throw Error("https://svelte.dev/e/state_descriptors_fixed");
}
function Le() {
	throw Error("https://svelte.dev/e/state_prototype_fixed");
}
function Re() {
	throw Error("https://svelte.dev/e/state_unsafe_mutation");
}
function ze() {
	throw Error("https://svelte.dev/e/svelte_boundary_reset_onerror");
}
// node_modules/svelte/src/internal/client/context.js
var k = null;
function Be(e) {
	k = e;
}
function Ve(e, t = !1, n) {
	k = {
		p: k,
		i: !1,
		c: null,
		e: null,
		s: e,
		x: null,
		r: G,
		l: null
	};
}
function He(e) {
	var t = k, n = t.e;
	if (n !== null) {
		t.e = null;
		for (var r of n) dn(r);
	}
	return e !== void 0 && (t.x = e), t.i = !0, k = t.p, Ue(e);
}
function Ue(e = {}) {
	return i(e, oe, { value: !0 }), e;
}
function We() {
	return !0;
}
// node_modules/svelte/src/internal/client/dom/task.js
var Ge = [];
function Ke() {
	var e = Ge;
	Ge = [], f(e);
}
function qe(e) {
	if (Ge.length === 0 && !yt) {
		var t = Ge;
		queueMicrotask(() => {
			t === Ge && Ke();
		});
	}
	Ge.push(e);
}
function Je() {
	for (; Ge.length > 0;) Ke();
}
// node_modules/svelte/src/internal/client/reactivity/status.js
var Ye = ~(g | _ | h);
function A(e, t) {
	e.f = e.f & Ye | t;
}
function Xe(e) {
	e.f & 512 || e.deps === null ? A(e, h) : A(e, _);
}
// node_modules/svelte/src/internal/client/reactivity/utils.js
function Ze(e, t) {
	e.f & 2048 ? t.set(e, g) : e.f & 4096 && t.get(e) !== 2048 && t.set(e, _), A(e, h);
}
// node_modules/svelte/src/internal/client/dom/elements/misc.js
var Qe = !1;
function $e() {
	Qe || (Qe = !0, document.addEventListener("reset", (e) => {
		Promise.resolve().then(() => {
			if (!e.defaultPrevented) for (let t of e.target.elements) t[pe]?.();
		});
	}, { capture: !0 }));
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/shared.js
function et(e) {
	var t = H, n = G;
	W(null), jn(null);
	try {
		return e();
	} finally {
		W(t), jn(n);
	}
}
function tt(e, t, n, r = n) {
	e.addEventListener(t, () => et(n));
	let i = e[pe];
	e[pe] = i ? () => {
		i(), r(!0);
	} : () => r(!0), $e();
}
// node_modules/svelte/src/internal/client/reactivity/async.js
function nt(e, t, n, r) {
	let i = We() ? ot : ut;
	var a = e.filter((e) => !e.settled), o = t.map(i);
	if (n.length === 0 && a.length === 0) {
		r(o);
		return;
	}
	var s = G, c = rt(), l = a.length === 1 ? a[0].promise : a.length > 1 ? Promise.all(a.map((e) => e.promise)) : null;
	function u(e) {
		if (!(s.f & 16384)) {
			c();
			try {
				r([...o, ...e]);
			} catch (e) {
				on(e, s);
			}
			it();
		}
	}
	var d = at();
	if (n.length === 0) {
		l.then(() => u([])).finally(d);
		return;
	}
	function f() {
		Promise.all(n.map((e) => /* @__PURE__ */ ct(e))).then(u).catch((e) => on(e, s)).finally(d);
	}
	l ? l.then(() => {
		s.f & 16384 ? d() : (c(), f(), it());
	}) : f();
}
function rt() {
	var e = G, t = H, n = k, r = j;
	return function(i = !0) {
		jn(e), W(t), Be(n), i && !(e.f & 16384) && (r?.activate(), r?.apply());
	};
}
function it(e = !0) {
	jn(null), W(null), Be(null), e && j?.deactivate();
}
function at() {
	var e = G, t = e.b, n = j, r = !!t?.is_rendered();
	return t?.update_pending_count(1, n), n.increment(r, e), () => {
		t?.update_pending_count(-1, n), n.decrement(r, e);
	};
}
/*#__NO_SIDE_EFFECTS__*/
function ot(e) {
	var t = 2 | g;
	return G !== null && (G.f |= C), {
		ctx: k,
		deps: null,
		effects: null,
		equals: ke,
		f: t,
		fn: e,
		reactions: null,
		rv: 0,
		v: w,
		wv: 0,
		parent: G,
		ac: null
	};
}
var st = Symbol("obsolete");
/*#__NO_SIDE_EFFECTS__*/
function ct(e, t, n) {
	let r = G;
	r === null && Me();
	var i = void 0, a = It(w), o = !H, s = /* @__PURE__ */ new Set();
	return mn(() => {
		var t = G, n = p();
		i = n.promise;
		try {
			Promise.resolve(e()).then(n.resolve, (e) => {
				e !== me && n.reject(e);
			}).finally(it);
		} catch (e) {
			n.reject(e), it();
		}
		var c = j;
		if (o) {
			if (t.f & 32768) var l = at();
			if (r.b?.is_rendered()) c.async_deriveds.get(t)?.reject(st);
			else for (let e of s.values()) e.reject(st);
			s.add(n), c.async_deriveds.set(t, n);
		}
		let u = (e, t = void 0) => {
			l?.(), s.delete(n), t !== st && (c.activate(), t ? (a.f |= ie, Bt(a, t)) : (a.f & 8388608 && (a.f ^= ie), Bt(a, e)), c.deactivate());
		};
		n.promise.then(u, (e) => u(null, e || "unknown"));
	}), un(() => {
		for (let e of s) e.reject(st);
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
function lt(e) {
	let t = /* @__PURE__ */ ot(e);
	return Nn(t), t;
}
/*#__NO_SIDE_EFFECTS__*/
function ut(e) {
	let t = /* @__PURE__ */ ot(e);
	return t.equals = je, t;
}
function dt(e) {
	var t = e.effects;
	if (t !== null) {
		e.effects = null;
		for (var n = 0; n < t.length; n += 1) V(t[n]);
	}
}
function ft(e) {
	var t, n = G, r = e.parent;
	if (!kn && r !== null && e.v !== w && r.f & 24576) return be(), e.v;
	jn(r);
	try {
		dt(e), t = Hn(e);
	} finally {
		jn(n);
	}
	return t;
}
function pt(e) {
	var t = ft(e);
	!e.equals(t) && (e.wv = zn(), (!j?.is_fork || e.deps === null) && (j === null ? e.v = t : (j.capture(e, t, !0), _t?.capture(e, t, !0)), e.deps === null)) ? A(e, h) : kn || (M === null ? Xe(e) : (ln() || j?.is_fork) && M.set(e, t));
}
function mt(e) {
	if (e.effects !== null) for (let t of e.effects) (t.teardown || t.ac) && (t.teardown?.(), t.ac !== null && et(() => {
		t.ac.abort(me), t.ac = null;
	}), t.fn !== null && (t.teardown = d), Gn(t, 0), yn(t));
}
function ht(e) {
	if (e.effects !== null) for (let t of e.effects) t.teardown && t.fn !== null && Kn(t);
}
// node_modules/svelte/src/internal/client/reactivity/batch.js
var gt = null, j = null, _t = null, M = null, vt = null, yt = !1, bt = !1, xt = null, St = null, Ct = 0, wt = 1, Tt = class e {
	id = wt++;
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
		gt === null ? gt = this : (gt.next = this, this.prev = gt), gt = this;
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
			for (var r of n.d) A(r, g), t(r);
			for (r of n.m) A(r, _), t(r);
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
					t.f ^= h;
				}
			}
			n || e.push(t);
		}
		return this.#a = [], e;
	}
	#m() {
		this.started = !0;
		for (let [e, t] of this.#s) A(e, t), this.schedule(e);
		this.apply();
		for (var t = xt = [], n = [], r = St = []; this.#a.length > 0;) {
			Ct++ > 1e3 && (this.#b(), Dt());
			for (let e of this.#p()) try {
				this.#h(e, t, n);
			} catch (t) {
				throw Mt(e), this.#d() || this.discard(), t;
			}
		}
		if (j = null, r.length > 0) {
			var i = e.ensure();
			for (let e of r) i.schedule(e);
		}
		if (xt = null, St = null, this.#d()) {
			this.#y(n), this.#y(t);
			for (let [e, t] of this.#c) jt(e, t);
			r.length > 0 && j.#m();
			return;
		}
		let a = this.#g();
		if (a) this.#y(n), this.#y(t), a.#v(this);
		else {
			this.#s.clear();
			for (let e of this.#e) e(this);
			this.#e.clear(), _t = this, kt(n), kt(t), _t = null, this.#i?.resolve();
			var o = j;
			this.#n === 0 && (this.#a.length === 0 || o !== null) && this.#b(), o !== null && (Pt.clear(), o.#m());
		}
	}
	#h(e, t, n) {
		e.f ^= h;
		for (var r = e.first; r !== null;) {
			var i = r.f, a = !!(i & 96);
			if (!(a && i & 1024 || i & 8192 || this.#c.has(r)) && r.fn !== null) {
				a ? r.f ^= h : i & 4 ? t.push(r) : Bn(r) && (i & 16 && this.add_dirty_reaction(r, _), Kn(r));
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
					r & 4194320 && !this.async_deriveds.has(i) && (this.#s.delete(i), A(i, g), this.schedule(i));
				}
			}
		};
		for (let e of this.current.keys()) t(e);
		this.oncommit(() => e.discard()), e.#b(), j = this, this.#m();
	}
	#y(e) {
		for (var t = 0; t < e.length; t += 1) Ze(e[t], this.#s);
	}
	capture(e, t, n = !1) {
		e.v !== w && !this.previous.has(e) && this.previous.set(e, e.v), e.f & 8388608 || (this.current.set(e, [t, n]), M?.set(e, t)), this.is_fork || (e.v = t);
	}
	activate() {
		j = this;
	}
	deactivate() {
		j = null, M = null;
	}
	flush() {
		try {
			bt = !0, j = this, this.#m();
		} finally {
			Ct = 0, vt = null, xt = null, St = null, bt = !1, j = null, M = null, Pt.clear();
		}
	}
	discard() {
		for (let e of this.#t) e(this);
		this.#t.clear();
		for (let e of this.async_deriveds.values()) e.reject(st);
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
		this.#u || (this.#u = !0, qe(() => {
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
		if (j === null) {
			let t = j = new e();
			!bt && !yt && qe(() => {
				t.started || t.flush();
			});
		}
		return j;
	}
	apply() {
		M = null;
	}
	schedule(e) {
		vt = e, e.b?.is_pending && e.f & 16777228 && !(e.f & 32768) ? e.b.defer_effect(e) : this.#a.push(e);
	}
	#b() {
		if (this.linked) {
			var e = this.prev, t = this.next;
			e === null || (e.next = t), t === null ? gt = e : t.prev = e, this.linked = !1;
		}
	}
};
function Et(e) {
	var t = yt, n = _t;
	_t = null, yt = !0;
	try {
		var r;
		for (e && (Et(), r = e());;) {
			if (Je(), j === null) return r;
			j.flush();
		}
	} finally {
		yt = t, _t = n;
	}
}
function Dt() {
	try {
		Pe();
	} catch (e) {
		on(e, vt);
	}
}
var Ot = null;
function kt(e) {
	var t = e.length;
	if (t !== 0) {
		for (var n = 0; n < t;) {
			var r = e[n++];
			if (!(r.f & 24576) && Bn(r) && (Ot = /* @__PURE__ */ new Set(), Kn(r), r.deps === null && r.first === null && r.nodes === null && r.teardown === null && r.ac === null && Sn(r), Ot?.size > 0)) {
				Pt.clear();
				for (let e of Ot) {
					if (e.f & 24576) continue;
					let t = [e], n = e.parent;
					for (; n !== null;) Ot.has(n) && (Ot.delete(n), t.push(n)), n = n.parent;
					for (let e = t.length - 1; e >= 0; e--) {
						let n = t[e];
						n.f & 24576 || Kn(n);
					}
				}
				Ot.clear();
			}
		}
		Ot = null;
	}
}
function At(e) {
	j.schedule(e);
}
function jt(e, t) {
	if (!(e.f & 32 && e.f & 1024)) {
		e.f & 2048 ? t.d.push(e) : e.f & 4096 && t.m.push(e), A(e, h);
		for (var n = e.first; n !== null;) jt(n, t), n = n.next;
	}
}
function Mt(e) {
	A(e, h);
	for (var t = e.first; t !== null;) Mt(t), t = t.next;
}
// node_modules/svelte/src/internal/client/reactivity/sources.js
var Nt = /* @__PURE__ */ new Set(), Pt = /* @__PURE__ */ new Map(), Ft = !1;
function It(e, t) {
	return {
		f: 0,
		v: e,
		reactions: null,
		equals: ke,
		rv: 0,
		wv: 0
	};
}
/*#__NO_SIDE_EFFECTS__*/
function N(e, t) {
	let n = It(e, t);
	return Nn(n), n;
}
/*#__NO_SIDE_EFFECTS__*/
function Lt(e, t = !1, n = !0) {
	let r = It(e);
	return t || (r.equals = je), r;
}
function P(e, t, n = !1) {
	return H !== null && (!U || H.f & 131072) && We() && H.f & 4325394 && (Mn === null || !Mn.has(e)) && Re(), Bt(e, n ? Wt(t) : t, St);
}
var Rt = null, zt = 0;
function Bt(e, t, n = null) {
	if (!e.equals(t)) {
		kn ? Pt.set(e, t) : Pt.has(e) || Pt.set(e, e.v);
		var r = Tt.ensure();
		if (r.capture(e, t), e.f & 2) {
			let t = e;
			e.f & 2048 && ft(t), M === null && Xe(t);
		}
		e.wv = zn(), Rt = null, zt = 0, Ut(e, g, n), Rt = null, We() && G !== null && G.f & 1024 && !(G.f & 96) && (J === null ? Pn([e]) : J.push(e)), !r.is_fork && Nt.size > 0 && !Ft && Vt();
	}
	return t;
}
function Vt() {
	Ft = !1;
	for (let e of Nt) {
		e.f & 1024 && A(e, _);
		let t;
		try {
			t = Bn(e);
		} catch {
			t = !0;
		}
		t && Kn(e);
	}
	Nt.clear();
}
function Ht(e) {
	P(e, e.v + 1);
}
function Ut(e, t, n) {
	var r = e.reactions;
	if (r !== null) {
		var i = We(), a = r.length;
		if (zt += a, zt > 1e5 && Rt === null && (Rt = /* @__PURE__ */ new Set()), Rt !== null) {
			if (Rt.has(e)) return;
			Rt.add(e);
		}
		for (var o = 0; o < a; o++) {
			var s = r[o], c = s.f;
			if (i || s !== G) {
				var l = (c & g) === 0;
				if (l && A(s, t), c & 131072) Nt.add(s);
				else if (c & 2) {
					var u = s;
					M?.delete(u), Ut(u, _, n);
				} else if (l) {
					var d = s;
					c & 16 && Ot !== null && Ot.add(d), n === null ? At(d) : n.push(d);
				}
			}
		}
	}
}
function Wt(t) {
	if (typeof t != "object" || !t || ae in t || oe in t) return t;
	let n = l(t);
	if (n !== s && n !== c) return t;
	var r = /* @__PURE__ */ new Map(), i = e(t), o = /* @__PURE__ */ N(0), u = null, d = Ln, f = (e) => {
		if (Ln === d) return e();
		var t = H, n = Ln;
		W(null), Rn(d);
		var r = e();
		return W(t), Rn(n), r;
	};
	return i && r.set("length", /* @__PURE__ */ N(t.length, u)), new Proxy(t, {
		defineProperty(e, t, n) {
			"value" in n && n.configurable !== !1 && n.enumerable !== !1 && n.writable !== !1 || Ie();
			var i = r.get(t);
			return i === void 0 ? f(() => {
				var e = /* @__PURE__ */ N(n.value, u);
				return r.set(t, e), e;
			}) : P(i, n.value, !0), !0;
		},
		deleteProperty(e, t) {
			var n = r.get(t);
			if (n === void 0) {
				if (t in e) {
					let e = f(() => /* @__PURE__ */ N(w, u));
					r.set(t, e), Ht(o);
				}
			} else P(n, w), Ht(o);
			return !0;
		},
		get(e, n, i) {
			if (n === ae) return t;
			var o = r.get(n), s = n in e;
			if (o === void 0 && (!s || a(e, n)?.writable) && (o = f(() => /* @__PURE__ */ N(Wt(s ? e[n] : w), u)), r.set(n, o)), o !== void 0) {
				var c = Y(o);
				return c === w ? void 0 : c;
			}
			return Reflect.get(e, n, i);
		},
		getOwnPropertyDescriptor(e, t) {
			this.has?.(e, t);
			var n = Reflect.getOwnPropertyDescriptor(e, t), i = r.get(t);
			if (i !== void 0) {
				var a = Y(i);
				if (a === w) return;
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
			if (t === ae) return !0;
			var n = r.get(t), i = n !== void 0 && n.v !== w || Reflect.has(e, t);
			return (n !== void 0 || (G !== null || H !== null) && (!i || a(e, t)?.writable)) && (n === void 0 && (n = f(() => /* @__PURE__ */ N(i ? Wt(e[t]) : w, u)), r.set(t, n)), Y(n) === w) ? !1 : i;
		},
		set(e, t, n, s) {
			var c = r.get(t), l = t in e;
			if (i && t === "length") for (var d = n; d < c.v; d += 1) {
				var p = r.get(d + "");
				p === void 0 ? d in e && (p = f(() => /* @__PURE__ */ N(w, u)), r.set(d + "", p)) : P(p, w);
			}
			if (c === void 0) (!l || a(e, t)?.writable) && (c = f(() => /* @__PURE__ */ N(void 0, u)), P(c, Wt(n)), r.set(t, c));
			else {
				l = c.v !== w;
				var m = f(() => Wt(n));
				P(c, m);
			}
			var h = Reflect.getOwnPropertyDescriptor(e, t);
			if (h?.set && h.set.call(s, n), !l) {
				if (i && typeof t == "string") {
					var g = r.get("length"), _ = Number(t);
					Number.isInteger(_) && _ >= g.v && P(g, _ + 1);
				}
				Ht(o);
			}
			return !0;
		},
		ownKeys(e) {
			Y(o);
			var t = Reflect.ownKeys(e).filter((e) => {
				var t = r.get(e);
				return t === void 0 || t.v !== w;
			});
			for (var [n, i] of r) i.v !== w && !(n in e) && t.push(n);
			return t;
		},
		setPrototypeOf() {
			Le();
		}
	});
}
function Gt(e) {
	try {
		if (typeof e == "object" && e && ae in e) return e[ae];
	} catch {}
	return e;
}
function Kt(e, t) {
	return Object.is(Gt(e), Gt(t));
}
var qt, Jt, Yt, Xt;
function Zt() {
	if (qt === void 0) {
		qt = window, Jt = /Firefox/.test(navigator.userAgent);
		var e = Element.prototype, t = Node.prototype, n = Text.prototype;
		Yt = a(t, "firstChild").get, Xt = a(t, "nextSibling").get, u(e) && (e[ue] = void 0, e[le] = null, e[de] = void 0, e.__e = void 0), u(n) && (n[fe] = void 0);
	}
}
function F(e = "") {
	return document.createTextNode(e);
}
/*@__NO_SIDE_EFFECTS__*/
function I(e) {
	return Yt.call(e);
}
/*@__NO_SIDE_EFFECTS__*/
function Qt(e) {
	return Xt.call(e);
}
function L(e, t) {
	if (!T) return /* @__PURE__ */ I(e);
	var n = /* @__PURE__ */ I(E);
	if (n === null) n = E.appendChild(F());
	else if (t && n.nodeType !== 3) {
		var r = F();
		return n?.before(r), D(r), r;
	}
	return t && rn(n), D(n), n;
}
function $t(e, t = !1) {
	if (!T) {
		var n = /* @__PURE__ */ I(e);
		return n instanceof Comment && n.data === "" ? /* @__PURE__ */ Qt(n) : n;
	}
	if (t) {
		if (E?.nodeType !== 3) {
			var r = F();
			return E?.before(r), D(r), r;
		}
		rn(E);
	}
	return E;
}
function R(e, t = !1) {
	if (!T) return /* @__PURE__ */ I(e);
	var n = L(e, t);
	return O(e), n;
}
function z(e, t = 1, n = !1) {
	let r = T ? E : e;
	for (var i; t--;) i = r, r = /* @__PURE__ */ Qt(r);
	if (!T) return r;
	if (n) {
		if (r?.nodeType !== 3) {
			var a = F();
			return r === null ? i?.after(a) : r.before(a), D(a), a;
		}
		rn(r);
	}
	return D(r), r;
}
function en(e) {
	e.textContent = "";
}
function tn() {
	return !1;
}
function nn(e, t, n) {
	return t == null || t === "http://www.w3.org/1999/xhtml" ? n ? document.createElement(e, { is: n }) : document.createElement(e) : n ? document.createElementNS(t, e, { is: n }) : document.createElementNS(t, e);
}
function rn(e) {
	if (e.nodeValue.length < 65536) return;
	let t = e.nextSibling;
	for (; t !== null && t.nodeType === 3;) t.remove(), e.nodeValue += t.nodeValue, t = e.nextSibling;
}
function an(e) {
	var t = G;
	if (t === null) return H.f |= ie, e;
	if (!(t.f & 32768) && !(t.f & 4)) throw e;
	on(e, t);
}
function on(e, t) {
	if (e === ge) throw e;
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
function sn(e, t) {
	var n = t.last;
	n === null ? t.last = t.first = e : (n.next = e, e.prev = n, t.last = e);
}
function cn(e, t) {
	var n = G;
	n !== null && n.f & 8192 && (e |= v);
	var r = {
		ctx: k,
		deps: null,
		nodes: null,
		f: e | g | 512,
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
	j?.register_created_effect(r);
	var i = r;
	if (e & 4) xt === null ? Tt.ensure().schedule(r) : xt.push(r);
	else if (t !== null) {
		try {
			Kn(r);
		} catch (e) {
			throw V(r), e;
		}
		i.deps === null && i.teardown === null && i.nodes === null && i.first === i.last && !(i.f & 524288) && (i = i.first, e & 16 && e & 65536 && i !== null && (i.f |= S));
	}
	if (i !== null && (i.parent = n, n !== null && sn(i, n), H !== null && H.f & 2 && !(e & 64))) {
		var a = H;
		(a.effects ??= []).push(i);
	}
	return r;
}
function ln() {
	return H !== null && !U;
}
function un(e) {
	let t = cn(8, null);
	return A(t, h), t.teardown = e, t;
}
function dn(e) {
	return cn(4 | ee, e);
}
function fn(e) {
	Tt.ensure();
	let t = cn(64 | C, e);
	return (e = {}) => new Promise((n) => {
		e.outro ? Cn(t, () => {
			V(t), n(void 0);
		}) : (V(t), n(void 0));
	});
}
function pn(e) {
	return cn(4, e);
}
function mn(e) {
	return cn(re | C, e);
}
function hn(e, t = 0) {
	return cn(8 | t, e);
}
function gn(e, t = [], n = [], r = []) {
	nt(r, t, n, (t) => {
		cn(8, () => {
			e(...t.map(Y));
		});
	});
}
function _n(e, t = 0) {
	return cn(16 | t, e);
}
function B(e) {
	return cn(32 | C, e);
}
function vn(e) {
	var t = e.teardown;
	if (t !== null) {
		let n = kn, r = H;
		An(!0), W(null);
		try {
			t.call(null);
		} catch (t) {
			on(t, e.parent);
		} finally {
			An(n), W(r);
		}
	}
}
function yn(e, t = !1) {
	var n = e.first;
	for (e.first = e.last = null; n !== null;) {
		let e = n.ac;
		e !== null && et(() => {
			e.abort(me);
		});
		var r = n.next;
		n.f & 64 ? n.parent = null : V(n, t), n = r;
	}
}
function bn(e) {
	for (var t = e.first; t !== null;) {
		var n = t.next;
		t.f & 32 || V(t), t = n;
	}
}
function V(e, t = !0) {
	var n = !1;
	(t || e.f & 262144) && e.nodes !== null && e.nodes.end !== null && (xn(e.nodes.start, e.nodes.end), n = !0), e.f |= x, yn(e, t && !n), Gn(e, 0);
	var r = e.nodes && e.nodes.t;
	if (r !== null) for (let e of r) e.stop();
	vn(e), e.f ^= x, e.f |= y;
	var i = e.parent;
	i !== null && i.first !== null && Sn(e), e.next = e.prev = e.teardown = e.ctx = e.deps = e.fn = e.nodes = e.ac = e.b = null;
}
function xn(e, t) {
	for (; e !== null;) {
		var n = e === t ? null : /* @__PURE__ */ Qt(e);
		e.remove(), e = n;
	}
}
function Sn(e) {
	var t = e.parent, n = e.prev, r = e.next;
	n !== null && (n.next = r), r !== null && (r.prev = n), t !== null && (t.first === e && (t.first = r), t.last === e && (t.last = n));
}
function Cn(e, t, n = !0) {
	var r = [];
	e.f |= 256, wn(e, r, !0);
	var i = () => {
		n && V(e), t && t();
	}, a = r.length;
	if (a > 0) {
		var o = () => --a || i();
		for (var s of r) s.out(o);
	} else i();
}
function wn(e, t, n) {
	if (!(e.f & 8192)) {
		e.f ^= v;
		var r = e.nodes && e.nodes.t;
		if (r !== null) for (let e of r) (e.is_global || n) && t.push(e);
		for (var i = e.first; i !== null;) {
			var a = i.next;
			if (!(i.f & 64)) {
				var o = !!(i.f & 65536) || !!(i.f & 32) && !!(e.f & 16);
				wn(i, t, o ? n : !1);
			}
			i = a;
		}
	}
}
function Tn(e) {
	e.f &= -257, En(e, !0);
}
function En(e, t) {
	if (!(e.f & 256) && e.f & 8192) {
		e.f ^= v, e.f & 1024 || (A(e, g), Tt.ensure().schedule(e));
		for (var n = e.first; n !== null;) {
			var r = n.next, i = !!(n.f & 65536) || !!(n.f & 32);
			En(n, i ? t : !1), n = r;
		}
		var a = e.nodes && e.nodes.t;
		if (a !== null) for (let e of a) (e.is_global || t) && e.in();
	}
}
function Dn(e, t) {
	if (e.nodes) for (var n = e.nodes.start, r = e.nodes.end; n !== null;) {
		var i = n === r ? null : /* @__PURE__ */ Qt(n);
		t.append(n), n = i;
	}
}
// node_modules/svelte/src/internal/client/legacy.js
var On = null, kn = !1;
function An(e) {
	kn = e;
}
var H = null, U = !1;
function W(e) {
	H = e;
}
var G = null;
function jn(e) {
	G = e;
}
var Mn = null;
function Nn(e) {
	H !== null && (H.f & 2097152 || H.f & 2) && (Mn ??= /* @__PURE__ */ new Set()).add(e);
}
var K = null, q = 0, J = null;
function Pn(e) {
	J = e;
}
var Fn = 1, In = 0, Ln = In;
function Rn(e) {
	Ln = e;
}
function zn() {
	return ++Fn;
}
function Bn(e) {
	var t = e.f;
	if (t & 2048) return !0;
	if (t & 4096) {
		for (var n = e.deps, r = n.length, i = 0; i < r; i++) {
			var a = n[i];
			if (Bn(a) && pt(a), a.wv > e.wv) return !0;
		}
		t & 512 && M === null && A(e, h);
	}
	return !1;
}
function Vn(e, t, n = !0) {
	var r = e.reactions;
	if (r !== null && !(Mn !== null && Mn.has(e))) for (var i = 0; i < r.length; i++) {
		var a = r[i];
		a.f & 2 ? Vn(a, t, !1) : t === a && (n ? A(a, g) : a.f & 1024 && A(a, _), At(a));
	}
}
function Hn(e) {
	var t = K, n = q, r = J, i = H, a = Mn, o = k, s = U, c = Ln, l = e.f;
	K = null, q = 0, J = null, H = l & 96 ? null : e, Mn = null, Be(e.ctx), U = !1, Ln = ++In, e.ac !== null && (et(() => {
		e.ac.abort(me);
	}), e.ac = null);
	try {
		e.f |= ne;
		var u = e.fn, d = u();
		e.f |= b;
		var f = Un(e);
		if (We() && J !== null && !U && f !== null && !(e.f & 6146)) for (var p = 0; p < J.length; p++) Vn(J[p], e);
		if (i !== null && i !== e) {
			if (In++, i.deps !== null) for (let e = 0; e < n; e += 1) i.deps[e].rv = In;
			if (t !== null) for (let e of t) e.rv = In;
			J !== null && (r === null ? r = J : r.push(...J));
		}
		return e.f & 8388608 && (e.f ^= ie), d;
	} catch (t) {
		return Un(e), an(t);
	} finally {
		e.f ^= ne, K = t, q = n, J = r, H = i, Mn = a, Be(o), U = s, Ln = c;
	}
}
function Un(e) {
	var t = e.deps, n = j?.is_fork;
	if (K !== null) {
		var r;
		if (n || Gn(e, q), t !== null && q > 0) for (t.length = q + K.length, r = 0; r < K.length; r++) t[q + r] = K[r];
		else e.deps = t = K;
		if (ln() && e.f & 512) for (r = q; r < t.length; r++) (t[r].reactions ??= []).push(e);
	} else !n && t !== null && q < t.length && (Gn(e, q), t.length = q);
	return t;
}
function Wn(e, r) {
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
		s.f & 512 && (s.f ^= 512), s.v !== w && Xe(s), s.ac !== null && et(() => {
			s.ac.abort(me), s.ac = null, A(s, g);
		}), mt(s), Gn(s, 0);
	}
}
function Gn(e, t) {
	var n = e.deps;
	if (n !== null) for (var r = t; r < n.length; r++) Wn(e, n[r]);
}
function Kn(e) {
	var t = e.f;
	if (!(t & 16384)) {
		A(e, h);
		var n = G;
		G = e;
		try {
			t & 16777232 ? bn(e) : yn(e), vn(e);
			var r = Hn(e);
			e.teardown = typeof r == "function" ? r : null, e.wv = Fn;
		} finally {
			G = n;
		}
	}
}
async function qn() {
	await Promise.resolve(), Et();
}
function Y(e) {
	var t = !!(e.f & 2);
	if (On?.add(e), H !== null && !U && !(G !== null && G.f & 16384) && (Mn === null || !Mn.has(e))) {
		var r = H.deps;
		if (H.f & 2097152) e.rv < In && (e.rv = In, K === null && r !== null && r[q] === e ? q++ : K === null ? K = [e] : K.push(e));
		else {
			H.deps ??= [], n.call(H.deps, e) || H.deps.push(e);
			var i = e.reactions;
			i === null ? e.reactions = [H] : n.call(i, H) || i.push(H);
		}
	}
	if (kn && Pt.has(e)) return Pt.get(e);
	if (t) {
		var a = e;
		if (kn) {
			var o = a.v;
			return (!(a.f & 1024) && a.reactions !== null || Yn(a)) && (o = ft(a)), Pt.set(a, o), o;
		}
		var s = !(a.f & 512) && !U && H !== null && !!(H.f & 512), c = (a.f & b) === 0;
		Bn(a) && (s && (a.f |= 512), pt(a)), s && !c && (ht(a), Jn(a));
	}
	if (M?.has(e)) return M.get(e);
	if (e.f & 8388608) throw e.v;
	return e.v;
}
function Jn(e) {
	if (e.f |= 512, e.deps !== null) for (let r of e.deps) {
		var t = r.reactions;
		t === null ? r.reactions = [e] : n.call(t, e) || t.push(e), r.f & 2 && !(r.f & 512) && (ht(r), Jn(r));
	}
}
function Yn(e) {
	if (e.v === w) return !0;
	if (e.deps === null) return !1;
	for (let t of e.deps) if (Pt.has(t) || t.f & 2 && Yn(t)) return !0;
	return !1;
}
function Xn(e) {
	var t = U;
	try {
		return U = !0, e();
	} finally {
		U = t;
	}
}
[.../* @__PURE__ */ "allowfullscreen.async.autofocus.autoplay.checked.controls.default.disabled.formnovalidate.indeterminate.inert.ismap.loop.multiple.muted.nomodule.novalidate.open.playsinline.readonly.required.reversed.seamless.selected.webkitdirectory.defer.disablepictureinpicture.disableremoteplayback".split(".")];
var Zn = ["touchstart", "touchmove"];
function Qn(e) {
	return Zn.includes(e);
}
// node_modules/svelte/src/internal/client/dom/elements/events.js
var $n = Symbol("events"), er = /* @__PURE__ */ new Set(), tr = /* @__PURE__ */ new Set();
function nr(e, t, n, r = {}) {
	function i(e) {
		if (r.capture || sr.call(t, e), !e.cancelBubble) return et(() => n?.call(this, e));
	}
	return e.startsWith("pointer") || e.startsWith("touch") || e === "wheel" ? (i.__removed = !1, qe(() => {
		i.__removed || t.addEventListener(e, i, r);
	})) : t.addEventListener(e, i, r), i;
}
function rr(e, t, n, r, i) {
	var a = {
		capture: r,
		passive: i
	}, o = nr(e, t, n, a);
	(t === document.body || t === window || t === document || t instanceof HTMLMediaElement) && un(() => {
		o.__removed = !0, t.removeEventListener(e, o, a);
	});
}
function X(e, t, n) {
	(t[$n] ??= {})[e] = n;
}
function ir(e) {
	for (var t = 0; t < e.length; t++) er.add(e[t]);
	for (var n of tr) n(e);
}
var ar = null, or = !1;
function sr(e) {
	var t = this, n = t.ownerDocument, r = e.type, a = e.composedPath?.() || [], o = a[0] || e.target;
	ar = e, or || (or = !0, setTimeout(() => {
		or = !1, ar = null;
	}));
	var s = 0, c = ar === e && e[$n];
	if (c) {
		var l = a.indexOf(c);
		if (l !== -1 && (t === document || t === window)) {
			e[$n] = t;
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
		var d = H, f = G;
		W(null), jn(null);
		try {
			for (var p, m = []; o !== null && o !== t;) {
				try {
					var h = o[$n]?.[r];
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
			e[$n] = t, delete e.currentTarget, W(d), jn(f);
		}
	}
}
// node_modules/svelte/src/internal/client/dom/reconciler.js
var cr = globalThis?.window?.trustedTypes && /* @__PURE__ */ globalThis.window.trustedTypes.createPolicy("svelte-trusted-html", { createHTML: (e) => e });
function lr(e) {
	return cr?.createHTML(e) ?? e;
}
function ur(e) {
	var t = nn("template");
	return t.innerHTML = lr(e.replaceAll("<!>", "<!---->")), t.content;
}
// node_modules/svelte/src/internal/client/dom/template.js
function dr(e, t) {
	var n = G;
	n.nodes === null && (n.nodes = {
		start: e,
		end: t,
		a: null,
		t: null
	});
}
/*#__NO_SIDE_EFFECTS__*/
function fr(e, t) {
	var n = !!(t & 1), r = !!(t & 2), i, a = !e.startsWith("<!>");
	return () => {
		if (T) return dr(E, null), E;
		i === void 0 && (i = ur(a ? e : "<!>" + e), n || (i = /* @__PURE__ */ I(i)));
		var t = r || Jt ? document.importNode(i, !0) : i.cloneNode(!0);
		if (n) {
			var o = /* @__PURE__ */ I(t), s = t.lastChild;
			dr(o, s);
		} else dr(t, t);
		return t;
	};
}
/*#__NO_SIDE_EFFECTS__*/
function pr(e, t, n = "svg") {
	var r = !e.startsWith("<!>"), i = !!(t & 1), a = `<${n}>${r ? e : "<!>" + e}</${n}>`, o;
	return () => {
		if (T) return dr(E, null), E;
		if (!o) {
			var e = /* @__PURE__ */ I(ur(a));
			if (i) for (o = document.createDocumentFragment(); /* @__PURE__ */ I(e);) o.appendChild(/* @__PURE__ */ I(e));
			else o = /* @__PURE__ */ I(e);
		}
		var t = o.cloneNode(!0);
		if (i) {
			var n = /* @__PURE__ */ I(t), r = t.lastChild;
			dr(n, r);
		} else dr(t, t);
		return t;
	};
}
/*#__NO_SIDE_EFFECTS__*/
function mr(e, t) {
	return /* @__PURE__ */ pr(e, t, "svg");
}
function Z(e, t) {
	if (T) {
		var n = G;
		n.f & 32768 && n.nodes.end !== null || (n.nodes.end = E), Te();
	} else e !== null && e.before(t);
}
// node_modules/svelte/src/reactivity/create-subscriber.js
function hr(e) {
	let t = 0, n = It(0), r;
	return () => {
		ln() && (Y(n), hn(() => (t === 0 && (r = Xn(() => e(() => Ht(n)))), t += 1, () => {
			qe(() => {
				--t, t === 0 && (r?.(), r = void 0, Ht(n));
			});
		})));
	};
}
// node_modules/svelte/src/internal/client/dom/blocks/boundary.js
var gr = S | C;
function _r(e, t, n, r) {
	new vr(e, t, n, r);
}
var vr = class {
	parent;
	is_pending = !1;
	transform_error;
	#e;
	#t = T ? E : null;
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
	#m = hr(() => (this.#p = It(this.#l), () => {
		this.#p = null;
	}));
	constructor(e, t, n, r) {
		this.#e = e, this.#n = t, this.#r = (e) => {
			var t = G;
			t.b = this, t.f |= 128, n(e);
		}, this.parent = G.b, this.transform_error = r ?? this.parent?.transform_error ?? ((e) => e), this.#i = _n(() => {
			if (T) {
				let e = Oe(this.#t);
				Te();
				let t = e === "[!";
				if (e.startsWith("[?")) {
					let t = JSON.parse(e.slice(2));
					this.#g(t);
				} else t ? this.#y() : this.#h();
			} else this.#b();
		}, gr), T && (this.#e = E);
	}
	#h() {
		try {
			this.#a = B(() => this.#r(this.#e));
		} catch (e) {
			this.error(e);
		}
	}
	#g(e) {
		let t = this.#n.failed, { reset: n, invoke_onerror: r } = this.#_(e);
		qe(r), t && (this.#s = B(() => {
			t(this.#e, () => e, () => n);
		}));
	}
	#_(e) {
		var t = !1, n = !1;
		let r = () => {
			this.#v() || (t ? Ce() : (t = !0, n && ze(), this.#s !== null && Cn(this.#s, () => {
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
					on(e, this.#i && this.#i.parent);
				}
			}
		};
	}
	#v() {
		return (this.#i.f & (y | x)) !== 0;
	}
	#y() {
		let e = this.#n.pending;
		e && (this.is_pending = !0, this.#o = B(() => e(this.#e)), qe(() => {
			if (!this.#v()) {
				var e = this.#c = document.createDocumentFragment(), t = F(), n = !1;
				e.append(t), this.#a = this.#S(() => {
					try {
						return B(() => this.#r(t));
					} catch (e) {
						try {
							this.error(e), n = !0;
						} catch (e) {
							on(e, this.#i.parent);
						}
						return null;
					}
				}), this.#a === null ? (this.#c = null, n && this.#x(j)) : this.#u === 0 && (this.#e.before(e), this.#c = null, Cn(this.#o, () => {
					this.#o = null;
				}), this.#x(j));
			}
		}));
	}
	#b() {
		try {
			if (this.is_pending = this.has_pending_snippet(), this.#u = 0, this.#l = 0, this.#a = B(() => {
				this.#r(this.#e);
			}), this.#u > 0) {
				var e = this.#c = document.createDocumentFragment();
				Dn(this.#a, e);
				let t = this.#n.pending;
				this.#o = B(() => t(this.#e));
			} else this.#x(j);
		} catch (e) {
			this.error(e);
		}
	}
	#x(e) {
		this.is_pending = !1, e.transfer_reactions(this.#f);
	}
	defer_effect(e) {
		Ze(e, this.#f);
	}
	is_rendered() {
		return !this.is_pending && (!this.parent || this.parent.is_rendered());
	}
	has_pending_snippet() {
		return !!this.#n.pending;
	}
	#S(e) {
		var t = G, n = H, r = k;
		jn(this.#i), W(this.#i), Be(this.#i.ctx);
		try {
			return Tt.ensure(), e();
		} finally {
			jn(t), W(n), Be(r);
		}
	}
	#C(e, t) {
		this.has_pending_snippet() ? (this.#u += e, this.#u === 0 && (this.#x(t), this.#o && Cn(this.#o, () => {
			this.#o = null;
		}), this.#c &&= (this.#e.before(this.#c), null))) : this.parent && this.parent.#C(e, t);
	}
	update_pending_count(e, t) {
		this.#C(e, t), this.#l += e, !this.#p || this.#d || (this.#d = !0, qe(() => {
			this.#d = !1, this.#p && Bt(this.#p, this.#l);
		}));
	}
	get_effect_pending() {
		return this.#m(), Y(this.#p);
	}
	error(e) {
		if (e === ge || !this.#n.onerror && !this.#n.failed) throw e;
		j?.is_fork ? (this.#a && j.skip_effect(this.#a), this.#o && j.skip_effect(this.#o), this.#s && j.skip_effect(this.#s), j.oncommit(() => {
			this.#v() || this.#w(e);
		})) : this.#w(e);
	}
	#w(e) {
		this.#a &&= (V(this.#a), null), this.#o &&= (V(this.#o), null), this.#s &&= (V(this.#s), null), T && (D(this.#t), Ee(), D(De()));
		let t = this.#n.failed, n = (e) => {
			if (this.#v()) return;
			let { reset: n, invoke_onerror: r } = this.#_(e);
			r(), t && !this.#v() && (this.#s = this.#S(() => {
				try {
					return B(() => {
						var r = G;
						r.b = this, r.f |= 128, t(this.#e, () => e, () => n);
					});
				} catch (e) {
					return on(e, this.#i.parent), null;
				}
			}));
		};
		qe(() => {
			if (!this.#v()) {
				var t;
				try {
					t = this.transform_error(e);
				} catch (e) {
					on(e, this.#i && this.#i.parent);
					return;
				}
				typeof t == "object" && t && typeof t.then == "function" ? t.then(n, (e) => on(e, this.#i && this.#i.parent)) : n(t);
			}
		});
	}
};
function Q(e, t) {
	var n = t == null ? "" : typeof t == "object" ? `${t}` : t;
	n !== (e[fe] ??= e.nodeValue) && (e[fe] = n, e.nodeValue = `${n}`);
}
function yr(e, t) {
	return xr(e, t);
}
var br = /* @__PURE__ */ new Map();
function xr(e, { target: t, anchor: n, props: i = {}, events: a, context: o, intro: s = !0, transformError: c }) {
	Zt();
	var l = void 0, u = fn(() => {
		var s = n ?? t.appendChild(F());
		_r(s, { pending: () => {} }, (t) => {
			Ve({});
			var n = k;
			if (o && (n.c = o), a && (i.$$events = a), T && dr(t, null), l = e(t, i) || Ue(), T && (G.nodes.end = E, E === null || E.nodeType !== 8 || E.data !== "]")) throw xe(), ge;
			He();
		}, c);
		var u = /* @__PURE__ */ new Set(), d = (e) => {
			for (var n = 0; n < e.length; n++) {
				var r = e[n];
				if (!u.has(r)) {
					u.add(r);
					var i = Qn(r);
					for (let e of [t, document]) {
						var a = br.get(e);
						a === void 0 && (a = /* @__PURE__ */ new Map(), br.set(e, a));
						var o = a.get(r);
						o === void 0 ? (e.addEventListener(r, sr, { passive: i }), a.set(r, 1)) : a.set(r, o + 1);
					}
				}
			}
		};
		return d(r(er)), tr.add(d), () => {
			for (var e of u) for (let n of [t, document]) {
				var r = br.get(n), i = r.get(e);
				--i == 0 ? (n.removeEventListener(e, sr), r.delete(e), r.size === 0 && br.delete(n)) : r.set(e, i);
			}
			tr.delete(d), s !== n && s.parentNode?.removeChild(s);
		};
	});
	return Sr.set(l, u), l;
}
var Sr = /* @__PURE__ */ new WeakMap(), Cr = class {
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
			if (n) Tn(n), this.#r.delete(t);
			else {
				var r = this.#n.get(t);
				r && (Tn(r.effect), this.#t.set(t, r.effect), this.#n.delete(t), r.fragment.lastChild.remove(), this.anchor.before(r.fragment), n = r.effect);
			}
			for (let [t, n] of this.#e) {
				if (this.#e.delete(t), t === e) break;
				let r = this.#n.get(n);
				r && (V(r.effect), this.#n.delete(n));
			}
			for (let [e, r] of this.#t) {
				if (e === t || this.#r.has(e)) continue;
				let i = () => {
					if (Array.from(this.#e.values()).includes(e)) {
						var t = document.createDocumentFragment();
						Dn(r, t), t.append(F()), this.#n.set(e, {
							effect: r,
							fragment: t
						});
					} else V(r);
					this.#r.delete(e), this.#t.delete(e);
				};
				this.#i || !n ? (this.#r.add(e), Cn(r, i, !1)) : i();
			}
		}
	};
	#o = (e) => {
		this.#e.delete(e);
		let t = Array.from(this.#e.values());
		for (let [e, n] of this.#n) t.includes(e) || (V(n.effect), this.#n.delete(e));
	};
	ensure(e, t) {
		var n = j, r = tn();
		if (t && !this.#t.has(e) && !this.#n.has(e)) {
			if (r) {
				var i = document.createDocumentFragment(), a = F();
				i.append(a), this.#n.set(e, {
					effect: B(() => t(a)),
					fragment: i
				});
			} else this.#t.set(e, B(() => t(this.anchor)));
		}
		if (this.#e.set(n, e), r) {
			for (let [t, r] of this.#t) t === e ? n.unskip_effect(r) : n.skip_effect(r);
			for (let [t, r] of this.#n) t === e ? n.unskip_effect(r.effect) : n.skip_effect(r.effect);
			n.oncommit(this.#a), n.ondiscard(this.#o);
		} else T && (this.anchor = E), this.#a(n);
	}
};
// node_modules/svelte/src/internal/client/dom/blocks/if.js
function wr(e, t, n = !1) {
	var r;
	T && (r = E, Te());
	var i = new Cr(e), a = n ? S : 0;
	function o(e, t) {
		if (T) {
			var n = Oe(r);
			if (e !== parseInt(n.substring(1))) {
				var a = De();
				D(a), i.anchor = a, we(!1), i.ensure(e, t), we(!0);
				return;
			}
		}
		i.ensure(e, t);
	}
	_n(() => {
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
		Cn(n, () => {
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
			en(d), d.append(u), e.items.clear();
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
		r?.has(a) ? (a.f |= te, Dn(a, document.createDocumentFragment())) : V(t[i], n);
	}
}
var Or;
function kr(t, n, i, a, o, s = null) {
	var c = t, l = /* @__PURE__ */ new Map();
	if (n & 4) {
		var u = t;
		c = T ? D(/* @__PURE__ */ I(u)) : u.appendChild(F());
	}
	T && Te();
	var d = null, f = /* @__PURE__ */ ut(() => {
		var t = i();
		return e(t) ? t : t == null ? [] : r(t);
	}), p = /* @__PURE__ */ new Map(), m = !0;
	function h(e) {
		if (!(_.effect.f & 16384)) {
			_.pending.delete(e);
			var t = Y(f);
			_.fallback = d, jr(_, t, c, n, a), d !== null && (t.length === 0 ? d.f & 33554432 ? (d.f ^= te, Nr(d, null, c)) : Tn(d) : Cn(d, () => {
				d = null;
			}));
		}
	}
	function g(e) {
		_.pending.delete(e);
	}
	var _ = {
		effect: _n(() => {
			var e = Y(f), t = e.length;
			let r = !1;
			T && Oe(c) === "[!" != (t === 0) && (c = De(), D(c), we(!1), r = !0);
			for (var u = /* @__PURE__ */ new Set(), _ = j, v = tn(), y = 0; y < t; y += 1) {
				T && E.nodeType === 8 && E.data === "]" && (c = E, r = !0, we(!1));
				var b = e[y], x = a(b, y), S = m ? null : l.get(x);
				S ? (S.v && Bt(S.v, b), S.i && Bt(S.i, y), v && _.unskip_effect(S.e)) : (S = Mr(l, m ? c : Or ??= F(), b, x, y, o, n, i), m || (S.e.f |= te), l.set(x, S)), u.add(x);
			}
			if (t === 0 && s && !d && (m ? d = B(() => s(c)) : (d = B(() => s(Or ??= F())), d.f |= te)), t > u.size && Ne("", "", ""), T && t > 0 && D(De()), !m) {
				if (p.set(_, u), v) {
					for (let [e, t] of l) u.has(e) || _.skip_effect(t.e);
					_.oncommit(h), _.ondiscard(g);
				} else h(_);
			}
			r && we(!0), Y(f);
		}),
		flags: n,
		items: l,
		pending: p,
		outrogroups: null,
		fallback: d
	};
	m = !1, T && (c = E);
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
		if (_.f & 8192 && (Tn(_), o && (_.nodes?.a?.unfix(), (f ??= /* @__PURE__ */ new Set()).delete(_))), _.f & 33554432) {
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
					var S = p[0], C = p[p.length - 1];
					for (x = 0; x < p.length; x += 1) Nr(p[x], b, n);
					for (x = 0; x < m.length; x += 1) u.delete(m[x]);
					Pr(e, S.prev, C.next), Pr(e, d, S), Pr(e, C, b), l = b, d = C, --v, p = [], m = [];
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
		var ee = [];
		if (u !== void 0) for (_ of u) _.f & 8192 || ee.push(_);
		for (; l !== null;) !(l.f & 8192) && l !== e.fallback && ee.push(l), l = Ar(l.next);
		var ne = ee.length;
		if (ne > 0) {
			var re = i & 4 && s === 0 ? n : null;
			if (o) {
				for (v = 0; v < ne; v += 1) ee[v].nodes?.a?.measure();
				for (v = 0; v < ne; v += 1) ee[v].nodes?.a?.fix();
			}
			Er(e, ee, re);
		}
	}
	o && qe(() => {
		if (f !== void 0) for (_ of f) _.nodes?.a?.apply();
	});
}
function Mr(e, t, n, r, i, a, o, s) {
	var c = o & 1 ? o & 16 ? It(n) : /* @__PURE__ */ Lt(n, !1, !1) : null, l = o & 2 ? It(i) : null;
	return {
		v: c,
		i: l,
		e: B(() => (a(t, c ?? n, l ?? i, s), () => {
			e.delete(r);
		}))
	};
}
function Nr(e, t, n) {
	if (e.nodes) for (var r = e.nodes.start, i = e.nodes.end, a = t && !(t.f & 33554432) ? t.nodes.start : n; r !== null;) {
		var o = /* @__PURE__ */ Qt(r);
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
		T && (o = D(/* @__PURE__ */ I(c)));
	}
	gn(() => {
		var e = G;
		if (s === (s = t() ?? "")) T && Te();
		else if (n && !T) e.nodes = null, c.innerHTML = s, s !== "" && dr(/* @__PURE__ */ I(c), c.lastChild);
		else if (e.nodes !== null && (xn(e.nodes.start, e.nodes.end), e.nodes = null), s !== "") {
			if (T) {
				for (var a = E.data, l = Te(), u = l; l !== null && (l.nodeType !== 8 || l.data !== "");) u = l, l = /* @__PURE__ */ Qt(l);
				if (l === null) throw xe(), ge;
				dr(E, u), o = D(l);
			} else {
				var d = nn(r ? "svg" : i ? "math" : "template", r ? ve : i ? ye : void 0);
				d.innerHTML = s;
				var f = r || i ? d : d.content;
				if (dr(/* @__PURE__ */ I(f), f.lastChild), r || i) for (; /* @__PURE__ */ I(f);) o.before(/* @__PURE__ */ I(f));
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
	var o = e[ue];
	if (T || o !== n || o === void 0) {
		var s = Lr(n, r, a);
		T && s === e.getAttribute("class") || (s == null ? e.removeAttribute("class") : t ? e.className = s : e.setAttribute("class", s)), e[ue] = n;
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
	var i = e[de];
	if (T || i !== t) {
		var a = Br(t, r);
		T && a === e.getAttribute("style") || (a == null ? e.removeAttribute("style") : e.style.cssText = a), e[de] = t;
	} else r && (Array.isArray(r) ? (Hr(e, n?.[0], r[0]), Hr(e, n?.[1], r[1], "important")) : Hr(e, n, r));
	return r;
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/select.js
function Wr(e, t) {
	t ? e.hasAttribute("selected") || e.setAttribute("selected", "") : e.removeAttribute("selected");
}
function Gr(t, n) {
	var r = t.__defaultValue, i = t.multiple, a = i ? r ?? [] : null;
	if (!i || e(a)) {
		var o = t.selectedIndex, s = n && i ? new Set(t.selectedOptions) : null;
		for (var c of t.options) {
			var l = Yr(c);
			Wr(c, i ? a.includes(l) : Kt(l, r));
		}
		if (n) {
			if (s !== null) for (c of t.options) {
				var u = s.has(c);
				c.selected !== u && (c.selected = u);
			}
			else t.selectedIndex !== o && (t.selectedIndex = o);
		}
	}
}
function Kr(t, n, r = !1) {
	if (t.multiple) {
		if (n == null) return;
		if (!e(n)) return Se();
		for (var i of t.options) i.selected = n.includes(Yr(i));
	} else {
		for (i of t.options) if (Kt(Yr(i), n)) {
			i.selected = !0;
			return;
		}
		r && n === void 0 || (t.selectedIndex = -1);
	}
}
function qr(e) {
	var t = new MutationObserver((t) => {
		t.every(Xr) || ("__defaultValue" in e && Gr(e, !1), "__value" in e && Kr(e, e.__value));
	});
	t.observe(e, {
		childList: !0,
		subtree: !0,
		attributes: !0,
		attributeFilter: ["value"]
	}), un(() => {
		t.disconnect();
	});
}
function Jr(e, t, n = t) {
	var r = /* @__PURE__ */ new WeakSet(), i = !0;
	tt(e, "change", (t) => {
		var i = t ? "[selected]" : ":checked", a;
		if (e.multiple) a = [].map.call(e.querySelectorAll(i), Yr);
		else {
			var o = e.querySelector(i) ?? e.querySelector("option:not([disabled])");
			a = o && Yr(o);
		}
		n(a), e.__value = a, j !== null && r.add(j);
	}), pn(() => {
		var a = t();
		if (e === document.activeElement) {
			var o = j;
			if (r.has(o)) return;
		}
		if (Kr(e, a, i), i && a === void 0) {
			var s = e.querySelector(":checked");
			s !== null && (a = Yr(s), n(a));
		}
		e.__value = a, i = !1;
	});
}
function Yr(e) {
	return "__value" in e ? e.__value : e.value;
}
function Xr(e) {
	if (e.target.closest("selectedcontent") !== null) return !0;
	if (e.type === "childList") {
		var t = [...e.addedNodes, ...e.removedNodes];
		return t.length > 0 && t.every((e) => e.nodeName === "SELECTEDCONTENT");
	}
	return !1;
}
// node_modules/svelte/src/internal/client/dom/elements/attributes.js
var Zr = Symbol("is custom element"), Qr = Symbol("is html"), $r = he ? "link" : "LINK";
function ei(e) {
	if (T) {
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
		e[pe] = n, qe(n), $e();
	}
}
function $(e, t, n, r) {
	var i = ti(e);
	if (!(T && (i[t] = e.getAttribute(t), t === "src" || t === "srcset" || t === "href" && e.nodeName === $r))) {
		var a = i[t];
		a !== (i[t] = n) && (t === "loading" && (e[ce] = n), n == null ? e.removeAttribute(t) : typeof n != "string" && ri(e).has(t) ? e[t] = n : (!T || typeof n != "number" && typeof n != "boolean" || a !== String(n)) && e.setAttribute(t, n));
	}
}
function ti(e) {
	return e[le] ??= {
		[Zr]: e.nodeName.includes("-"),
		[Qr]: e.namespaceURI === _e
	};
}
var ni = /* @__PURE__ */ new Map();
function ri(e) {
	var t = e.getAttribute("is") || e.nodeName, n = ni.get(t);
	if (n) return n;
	ni.set(t, n = /* @__PURE__ */ new Set());
	for (var r, i = e, a = Element.prototype; a !== i;) {
		for (var s in r = o(i), r) r[s].set && s !== "innerHTML" && s !== "textContent" && s !== "innerText" && n.add(s);
		i = l(i);
	}
	return n;
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/input.js
function ii(e, t, n = t) {
	var r = /* @__PURE__ */ new WeakSet();
	tt(e, "input", async (i) => {
		var a = i ? e.defaultValue : e.value;
		if (a = ai(e) ? oi(a) : a, n(a), j !== null && r.add(j), await qn(), a !== (a = t())) {
			var o = e.selectionStart, s = e.selectionEnd, c = e.value.length;
			if (e.value = a ?? "", s !== null) {
				var l = e.value.length;
				o === s && s === c && l > c ? (e.selectionStart = l, e.selectionEnd = l) : (e.selectionStart = o, e.selectionEnd = Math.min(s, l));
			}
		}
	}), (T && e.defaultValue !== e.value || Xn(t) == null && e.value) && (n(ai(e) ? oi(e.value) : e.value), j !== null && r.add(j)), hn(() => {
		var n = t();
		if (e === document.activeElement) {
			var i = j;
			if (r.has(i)) return;
		}
		ai(e) && n === oi(e.value) || (e.type !== "date" || n || e.value) && n !== e.value && (e.value = n ?? "");
	});
}
function ai(e) {
	var t = e.type;
	return t === "number" || t === "range";
}
function oi(e) {
	return e === "" ? null : +e;
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/this.js
function si(e, t) {
	return e === t || e?.[ae] === t;
}
function ci(e = Ue(), t, n, r) {
	var i = k.r, a = G;
	return pn(() => {
		var o, s;
		return hn(() => {
			o = s, s = r?.() || [], Xn(() => {
				si(n(...s), e) || (t(e, ...s), o && si(n(...o), e) && t(null, ...o));
			});
		}), () => {
			let r = a;
			for (; r !== i && r.parent !== null && r.parent.f & 33554432;) r = r.parent;
			let o = () => {
				s && si(n(...s), e) && t(null, ...s);
			}, c = r.teardown;
			r.teardown = () => {
				o(), c?.();
			};
		};
	}), e;
}
// node_modules/svelte/src/internal/client/reactivity/store.js
var li = !1;
function ui(e) {
	var t = li;
	try {
		return li = !1, [e(), li];
	} finally {
		li = t;
	}
}
// node_modules/svelte/src/internal/client/reactivity/props.js
function di(e, t, n, r) {
	var i = !0, o = !!(n & 8), s = !!(n & 16), c = r, l = !0, u = void 0, d = () => s && i ? (u ??= /* @__PURE__ */ ot(r), Y(u)) : (l && (l = !1, c = s ? Xn(r) : r), c);
	let f;
	if (o) {
		var p = ae in e || se in e;
		f = a(e, t)?.set ?? (p && t in e ? (n) => e[t] = n : void 0);
	}
	var m, h = !1;
	o ? [m, h] = ui(() => e[t]) : m = e[t], m === void 0 && r !== void 0 && (m = d(), f && (i && Fe(t), f(m)));
	var g = i ? () => {
		var n = e[t];
		return n === void 0 ? d() : (l = !0, n);
	} : () => {
		var n = e[t];
		return n !== void 0 && (c = void 0), n === void 0 ? c : n;
	};
	if (i && !(n & 4)) return g;
	if (f) {
		var _ = e.$$legacy;
		return (function(e, t) {
			return arguments.length > 0 ? ((!i || !t || _ || h) && f(t ? g() : e), e) : g();
		});
	}
	var v = !1, y = (n & 1 ? ot : ut)(() => (v = !1, g()));
	o && Y(y);
	var b = G;
	return (function(e, t) {
		if (arguments.length > 0) {
			let n = t ? Y(y) : i && o ? Wt(e) : e;
			return P(y, n), v = !0, c !== void 0 && (c = n), e;
		}
		return kn && v || b.f & 16384 ? y.v : Y(y);
	});
}
// node_modules/svelte/src/internal/disclose-version.js
typeof window < "u" && ((window.__svelte ??= {}).v ??= /* @__PURE__ */ new Set()).add("5");
// src/model.js
var fi = /^\s*(e|r|t|x|event|required|target|forbidden)\s+([A-Za-z_]\w*)\s*(?:=\s*(.*?))?\s*$/, pi = /^\s*bar\s+(.*?)\s+from\s+([A-Za-z_]\w*)\s+to\s+([A-Za-z_]\w*)\s*$/;
function mi(e) {
	let t = {
		head: [],
		marks: [],
		bars: []
	}, n = [];
	for (let r of e.split("\n")) {
		let e = r.replace(/#.*/, ""), i = fi.exec(e), a = pi.exec(e);
		i ? t.marks.push({
			id: t.marks.length,
			kind: i[1][0] === "f" ? "x" : i[1][0],
			name: i[2],
			condition: i[3] ?? ""
		}) : a ? n.push(a) : r.trim() && t.head.push(r);
	}
	for (let [, e, r, i] of n) {
		let n = (e) => t.marks.find((t) => t.name === e)?.id ?? 0;
		t.bars.push({
			condition: e,
			from: n(r),
			to: n(i)
		});
	}
	return t;
}
function hi(e) {
	let t = (t) => e.marks.find((e) => e.id === t)?.name ?? "", n = (e) => e.condition.trim() ? ` = ${e.condition.trim()}` : "";
	return [
		...e.head,
		...e.marks.map((e) => `${e.kind} ${e.name}${n(e)}`),
		...e.bars.map((e) => `bar ${e.condition.trim()} from ${t(e.from)} to ${t(e.to)}`)
	].join("\n");
}
// src/Timeline.svelte
var gi = /* @__PURE__ */ mr("<path class=\"bar svelte-1fhk4r0\"></path><text text-anchor=\"middle\"> </text>", 1), _i = /* @__PURE__ */ fr("<button type=\"button\" aria-describedby=\"timeline-keys\"> </button> <span class=\"mark-name svelte-1fhk4r0\"> <small class=\"svelte-1fhk4r0\"> </small></span>", 1), vi = /* @__PURE__ */ fr("<option> </option>"), yi = /* @__PURE__ */ fr("<fieldset><legend class=\"hidden\"> </legend> <select></select> <input class=\"svelte-1fhk4r0\"/> <input class=\"condition svelte-1fhk4r0\" placeholder=\"condition\"/> <button class=\"button\" type=\"button\">×</button></fieldset>"), bi = /* @__PURE__ */ fr("<fieldset class=\"mark-fields is-bar svelte-1fhk4r0\"><legend class=\"hidden\"></legend> <span>bar</span> <input class=\"condition svelte-1fhk4r0\"/> <span>from</span> <select></select> <span>to</span> <select></select> <button class=\"button\" type=\"button\">×</button></fieldset>"), xi = /* @__PURE__ */ fr("<li><b> </b> <span class=\"quiet\"> </span></li>"), Si = /* @__PURE__ */ fr("<ul class=\"notes\"></ul>"), Ci = /* @__PURE__ */ fr("<h3>Automaton of violations</h3><div class=\"scroll figure\"></div>", 1), wi = /* @__PURE__ */ fr("<h3>Formula</h3><pre class=\"code wrap\"> </pre> <!>", 1), Ti = /* @__PURE__ */ fr("<div class=\"preview svelte-1fhk4r0\" aria-live=\"polite\"><!></div>"), Ei = /* @__PURE__ */ fr("<div class=\"timeline-editor svelte-1fhk4r0\"><div class=\"editor-scroll svelte-1fhk4r0\"><div class=\"editor-line svelte-1fhk4r0\"><svg aria-hidden=\"true\" class=\"svelte-1fhk4r0\"><path class=\"axis svelte-1fhk4r0\"></path><!></svg> <!></div></div> <p id=\"timeline-keys\" class=\"quiet\">Arrows choose a mark, with Shift they move it; <kbd class=\"svelte-1fhk4r0\">e</kbd> <kbd class=\"svelte-1fhk4r0\">r</kbd> <kbd class=\"svelte-1fhk4r0\">t</kbd> <kbd class=\"svelte-1fhk4r0\">x</kbd> set its kind; Enter edits, Insert adds, Delete removes.</p> <p class=\"hidden\" role=\"status\"> </p> <div class=\"editor-fields svelte-1fhk4r0\"><!> <!> <div class=\"actions\"><button class=\"button\" type=\"button\">Add mark</button><button class=\"button\" type=\"button\">Add bar</button></div></div> <!></div>");
function Di(e, t) {
	Ve(t, !0);
	let n = di(t, "text", 7), r = {
		e: "event",
		r: "required",
		t: "target",
		x: "must not occur"
	}, i = /* @__PURE__ */ N(Wt(mi(n().value))), a = /* @__PURE__ */ N(0), o = /* @__PURE__ */ N(""), s = /* @__PURE__ */ N(null), c = /* @__PURE__ */ N(null), l = /* @__PURE__ */ N(void 0), u, d = !1, f = /* @__PURE__ */ lt(() => new Map(Y(i).marks.map((e, t) => [e.id, t]))), p = (e) => 115 + e * 150, h = /* @__PURE__ */ lt(() => 80 + 150 * Math.max(Y(i).marks.length, 1)), g = /* @__PURE__ */ lt(() => 34 + Y(i).bars.length * 32);
	function _(e = "") {
		d = !0, n().value = hi(Y(i)), n().dispatchEvent(new Event("input", { bubbles: !0 })), d = !1, P(o, e, !0), v();
	}
	function v() {
		clearTimeout(u), u = setTimeout(async () => {
			let e = await fetch("/api/timeline", {
				method: "POST",
				headers: {
					"content-type": "application/json",
					"x-axle-form": document.querySelector("meta[name=\"form-token\"]").content
				},
				body: JSON.stringify({ timeline: n().value })
			});
			e.ok && P(s, await e.json(), !0);
		}, 250);
	}
	n().addEventListener("input", () => {
		d || (P(i, mi(n().value), !0), P(a, Math.min(Y(a), Math.max(0, Y(i).marks.length - 1)), !0), v());
	}), v();
	async function y(e) {
		P(a, Math.min(Math.max(e, 0), Y(i).marks.length - 1), !0), await qn(), Y(l)?.querySelector(`[data-mark="${Y(a)}"]`)?.focus();
	}
	function b() {
		let e = Math.max(-1, ...Y(i).marks.map((e) => e.id)) + 1, t = new Set(Y(i).marks.map((e) => e.name)), n = Y(i).marks.length + 1;
		for (; t.has(`mark_${n}`);) n += 1;
		let r = Y(i).marks.length ? Y(a) + 1 : 0;
		Y(i).marks.splice(r, 0, {
			id: e,
			kind: Y(i).marks.length ? "r" : "e",
			name: `mark_${n}`,
			condition: ""
		}), _(`mark_${n} added`), y(r);
	}
	function x(e) {
		let [t] = Y(i).marks.splice(e, 1);
		t && (Y(i).bars = Y(i).bars.filter((e) => e.from !== t.id && e.to !== t.id), _(`${t.name} removed`), y(e - 1));
	}
	function S(e, t) {
		let n = e + t;
		if (n < 0 || n >= Y(i).marks.length) return;
		let [r] = Y(i).marks.splice(e, 1);
		Y(i).marks.splice(n, 0, r);
		for (let e of Y(i).bars) Y(f).get(e.from) > Y(f).get(e.to) && ([e.from, e.to] = [e.to, e.from]);
		_(`${r.name} is now mark ${n + 1}`), y(n);
	}
	function C(e, t) {
		Y(i).marks[e].kind = t, _(`${Y(i).marks[e].name}: ${r[t]}`);
	}
	function ee(e, t) {
		let n = {
			ArrowLeft: () => e.shiftKey ? S(t, -1) : y(t - 1),
			ArrowRight: () => e.shiftKey ? S(t, 1) : y(t + 1),
			Delete: () => x(t),
			Insert: b,
			"+": b,
			Enter: () => document.getElementById(`mark-name-${t}`)?.focus(),
			e: () => C(t, "e"),
			r: () => C(t, "r"),
			t: () => C(t, "t"),
			x: () => C(t, "x")
		}[e.key];
		n && (e.preventDefault(), n());
	}
	function te(e, t) {
		P(a, t, !0), P(c, t, !0), e.currentTarget.setPointerCapture(e.pointerId);
	}
	function ne(e) {
		if (Y(c) === null) return;
		let t = Y(l).getBoundingClientRect(), n = Math.round((e.clientX - t.left - 40 - 75) / 150), r = Math.min(Math.max(n, 0), Y(i).marks.length - 1);
		if (r !== Y(c)) {
			let [e] = Y(i).marks.splice(Y(c), 1);
			Y(i).marks.splice(r, 0, e), P(c, r, !0), P(a, r, !0), _();
		}
	}
	function re() {
		let e = Y(i).marks[Math.min(Y(a), Y(i).marks.length - 2)], t = Y(i).marks[Math.min(Y(a), Y(i).marks.length - 2) + 1];
		Y(i).bars.push({
			condition: "true",
			from: e.id,
			to: t.id
		}), _("bar added");
	}
	var ie = Ei(), ae = L(ie), oe = L(ae);
	let se;
	var ce = L(oe), le = L(ce);
	kr(z(le), 17, () => Y(i).bars, Tr, (e, t, n) => {
		let r = /* @__PURE__ */ lt(() => 26 + n * 32);
		var i = gi(), a = $t(i), o = z(a), s = R(o, !0);
		gn((e, n, i, c, l) => {
			$(a, "d", `M${e ?? ""} ${Y(r) - 5} v10 M${n ?? ""} ${Y(r) ?? ""} H${i ?? ""} M${c ?? ""} ${Y(r) - 5} v10`), $(o, "x", l), $(o, "y", Y(r) - 6), Q(s, Y(t).condition);
		}, [
			() => p(Y(f).get(Y(t).from) ?? 0),
			() => p(Y(f).get(Y(t).from) ?? 0),
			() => p(Y(f).get(Y(t).to) ?? 0),
			() => p(Y(f).get(Y(t).to) ?? 0),
			() => (p(Y(f).get(Y(t).from) ?? 0) + p(Y(f).get(Y(t).to) ?? 0)) / 2
		]), Z(e, i);
	}), O(ce), kr(z(ce, 2), 19, () => Y(i).marks, (e) => e.id, (e, t, n) => {
		var o = _i(), s = $t(o);
		let c, l;
		var u = R(s, !0), d = z(s, 2);
		let f;
		var m = L(d, !0), h = R(z(m), !0);
		O(d), gn((e, o) => {
			c = Vr(s, 1, `mark is-${Y(t).kind ?? ""}`, "svelte-1fhk4r0", c, { "is-chosen": Y(n) === Y(a) }), $(s, "data-mark", Y(n)), $(s, "tabindex", Y(n) === Y(a) ? 0 : -1), $(s, "aria-label", `${Y(t).name ?? ""}, ${r[Y(t).kind] ?? ""}, mark ${Y(n) + 1} of ${Y(i).marks.length ?? ""}`), l = Ur(s, "", l, {
				left: e,
				top: `${Y(g) - 14}px`
			}), Q(u, Y(t).kind), f = Ur(d, "", f, {
				left: o,
				top: `${Y(g) + 18}px`
			}), Q(m, Y(t).name), Q(h, Y(t).condition);
		}, [() => `${p(Y(n)) - 14}px`, () => `${p(Y(n)) - 75}px`]), X("keydown", s, (e) => ee(e, Y(n))), X("click", s, () => {
			P(a, Y(n), !0);
		}), X("pointerdown", s, (e) => te(e, Y(n))), Z(e, o);
	}), O(oe), ci(oe, (e) => P(l, e), () => Y(l)), O(ae);
	var ue = z(ae, 4), de = R(ue, !0), fe = z(ue, 2), pe = L(fe);
	kr(pe, 19, () => Y(i).marks, (e) => e.id, (e, t, n) => {
		var i = yi();
		let o;
		var s = L(i), c = R(s), l = z(s, 2);
		kr(l, 21, () => Object.entries(r), Tr, (e, t) => {
			var n = /* @__PURE__ */ lt(() => m(Y(t), 2));
			let r = () => Y(n)[0], i = () => Y(n)[1];
			var a = vi(), o = R(a), s = {};
			gn(() => {
				Q(o, `${r() ?? ""}: ${i() ?? ""}`), s !== (s = r()) && (a.value = (a.__value = s) ?? "");
			}), Z(e, a);
		}), O(l);
		var u;
		qr(l);
		var d = z(l, 2);
		ei(d);
		var f = z(d, 2);
		ei(f);
		var p = z(f, 2);
		O(i), gn(() => {
			o = Vr(i, 1, "mark-fields svelte-1fhk4r0", null, o, { "is-chosen": Y(n) === Y(a) }), Q(c, `Mark ${Y(n) + 1}`), $(l, "aria-label", `kind of mark ${Y(n) + 1}`), u !== (u = Y(t).kind) && (l.value = (l.__value = u) ?? "", Kr(l, u)), $(d, "id", `mark-name-${Y(n) ?? ""}`), $(d, "aria-label", `name of mark ${Y(n) + 1}`), $(f, "aria-label", `condition of mark ${Y(n) + 1}`), $(p, "aria-label", `remove mark ${Y(n) + 1}`);
		}), X("change", l, (e) => C(Y(n), e.currentTarget.value)), X("input", d, () => _()), rr("focus", d, () => {
			P(a, Y(n), !0);
		}), ii(d, () => Y(t).name, (e) => Y(t).name = e), X("input", f, () => _()), rr("focus", f, () => {
			P(a, Y(n), !0);
		}), ii(f, () => Y(t).condition, (e) => Y(t).condition = e), X("click", p, () => x(Y(n))), Z(e, i);
	});
	var me = z(pe, 2);
	kr(me, 17, () => Y(i).bars, Tr, (e, t, n) => {
		var r = bi(), a = L(r);
		a.textContent = `Bar ${n + 1}`;
		var o = z(a, 4);
		ei(o), $(o, "aria-label", `condition of bar ${n + 1}`);
		var s = z(o, 4);
		$(s, "aria-label", `start of bar ${n + 1}`), kr(s, 21, () => Y(i).marks, Tr, (e, t) => {
			var n = vi(), r = R(n, !0), i = {};
			gn(() => {
				Q(r, Y(t).name), i !== (i = Y(t).id) && (n.value = (n.__value = i) ?? "");
			}), Z(e, n);
		}), O(s), qr(s);
		var c = z(s, 4);
		$(c, "aria-label", `end of bar ${n + 1}`), kr(c, 21, () => Y(i).marks, Tr, (e, t) => {
			var n = vi(), r = R(n, !0), i = {};
			gn(() => {
				Q(r, Y(t).name), i !== (i = Y(t).id) && (n.value = (n.__value = i) ?? "");
			}), Z(e, n);
		}), O(c), qr(c);
		var l = z(c, 2);
		$(l, "aria-label", `remove bar ${n + 1}`), O(r), X("input", o, () => _()), ii(o, () => Y(t).condition, (e) => Y(t).condition = e), X("change", s, () => _()), Jr(s, () => Y(t).from, (e) => Y(t).from = e), X("change", c, () => _()), Jr(c, () => Y(t).to, (e) => Y(t).to = e), X("click", l, () => {
			Y(i).bars.splice(n, 1), _("bar removed");
		}), Z(e, r);
	});
	var he = z(me, 2), ge = L(he), w = z(ge);
	O(he), O(fe);
	var _e = z(fe, 2), ve = (e) => {
		var t = Ti(), n = L(t), r = (e) => {
			var t = Si();
			kr(t, 21, () => Y(s).faults, Tr, (e, t) => {
				var n = xi(), r = L(n), i = R(r), a = z(r), o = R(z(a));
				O(n), gn(() => {
					Q(i, `line ${Y(t).line ?? ""}:`), Q(a, ` ${Y(t).message ?? ""}`), Q(o, `; ${Y(t).remedy ?? ""}`);
				}), Z(e, n);
			}), O(t), Z(e, t);
		}, i = (e) => {
			var t = wi(), n = z($t(t)), r = R(n, !0), i = z(n, 2), a = (e) => {
				var t = Ci(), n = z($t(t));
				Fr(n, () => Y(s).automaton, !0), O(n), Z(e, t);
			};
			wr(i, (e) => {
				Y(s).automaton && e(a);
			}), gn(() => Q(r, Y(s).formula)), Z(e, t);
		};
		wr(n, (e) => {
			Y(s).faults.length > 0 ? e(r) : e(i, -1);
		}), O(t), Z(e, t);
	};
	wr(_e, (e) => {
		Y(s) && e(ve);
	}), O(ie), gn(() => {
		se = Ur(oe, "", se, {
			width: `${Y(h) ?? ""}px`,
			height: `${Y(g) + 76}px`
		}), $(ce, "width", Y(h)), $(ce, "height", Y(g) + 20), $(le, "d", `M20 ${Y(g) ?? ""} H${Y(h) - 20}`), Q(de, Y(o)), w.disabled = Y(i).marks.length < 2;
	}), X("pointermove", oe, ne), X("pointerup", oe, () => {
		P(c, null);
	}), X("click", ge, b), X("click", w, re), Z(e, ie), He();
}
ir([
	"pointermove",
	"pointerup",
	"keydown",
	"click",
	"pointerdown",
	"change",
	"input"
]);
// src/timeline.js
var Oi = document.querySelector("[data-timeline-editor]");
if (Oi) {
	let e = document.createElement("div");
	Oi.before(e), yr(Di, {
		target: e,
		props: { text: Oi }
	});
}
