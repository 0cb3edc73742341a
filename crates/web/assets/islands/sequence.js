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
var m = 1024, h = 2048, g = 4096, _ = 8192, v = 16384, y = 32768, b = 1 << 25, x = 65536, S = 1 << 19, ee = 1 << 20, te = 1 << 25, ne = 1 << 21, C = 1 << 22, re = 1 << 23, ie = Symbol("$state"), ae = Symbol("component"), oe = Symbol(""), se = Symbol("attributes"), ce = Symbol("class"), le = Symbol("style"), ue = Symbol("text"), de = Symbol("form reset"), fe = new class extends Error {
	name = "StaleReactionError";
	message = "The reaction that called `getAbortSignal()` was re-run or destroyed";
}(), pe = !!globalThis.document?.contentType && /* @__PURE__ */ globalThis.document.contentType.includes("xml"), me = {}, w = Symbol("uninitialized"), he = "http://www.w3.org/1999/xhtml", ge = "http://www.w3.org/2000/svg", _e = "http://www.w3.org/1998/Math/MathML";
function ve() {
	console.warn("https://svelte.dev/e/derived_inert");
}
function ye(e) {
	console.warn("https://svelte.dev/e/hydration_mismatch");
}
function be() {
	console.warn("https://svelte.dev/e/svelte_boundary_reset_noop");
}
// node_modules/svelte/src/internal/client/dom/hydration.js
var T = !1;
function xe(e) {
	T = e;
}
var E;
function D(e) {
	if (e === null) throw ye(), me;
	return E = e;
}
function Se() {
	return D(/* @__PURE__ */ Xt(E));
}
function O(e) {
	if (T) {
		if (/* @__PURE__ */ Xt(E) !== null) throw ye(), me;
		E = e;
	}
}
function Ce(e = 1) {
	if (T) {
		for (var t = e, n = E; t--;) n = /* @__PURE__ */ Xt(n);
		E = n;
	}
}
function we(e = !0) {
	for (var t = 0, n = E;;) {
		if (n.nodeType === 8) {
			var r = n.data;
			if (r === "]") {
				if (t === 0) return n;
				--t;
			} else (r === "[" || r === "[!" || r[0] === "[" && !isNaN(Number(r.slice(1)))) && (t += 1);
		}
		var i = /* @__PURE__ */ Xt(n);
		e && n.remove(), n = i;
	}
}
function Te(e) {
	if (!e || e.nodeType !== 8) throw ye(), me;
	return e.data;
}
// node_modules/svelte/src/internal/client/reactivity/equality.js
function Ee(e) {
	return e === this.v;
}
function De(e, t) {
	return e == e ? e !== t || typeof e == "object" && !!e || typeof e == "function" : t == t;
}
function Oe(e) {
	return !De(e, this.v);
}
function ke(e) {
	throw Error("https://svelte.dev/e/lifecycle_outside_component");
}
// node_modules/svelte/src/internal/client/errors.js
function Ae() {
	throw Error("https://svelte.dev/e/async_derived_orphan");
}
function je(e, t, n) {
	throw Error("https://svelte.dev/e/each_key_duplicate");
}
function Me(e) {
	throw Error("https://svelte.dev/e/effect_in_teardown");
}
function Ne() {
	throw Error("https://svelte.dev/e/effect_in_unowned_derived");
}
function Pe(e) {
	throw Error("https://svelte.dev/e/effect_orphan");
}
function Fe() {
	throw Error("https://svelte.dev/e/effect_update_depth_exceeded");
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
	return i(e, ae, { value: !0 }), e;
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
var Ye = ~(h | g | m);
function A(e, t) {
	e.f = e.f & Ye | t;
}
function Xe(e) {
	e.f & 512 || e.deps === null ? A(e, m) : A(e, g);
}
// node_modules/svelte/src/internal/client/reactivity/utils.js
function Ze(e, t) {
	e.f & 2048 ? t.set(e, h) : e.f & 4096 && t.get(e) !== 2048 && t.set(e, g), A(e, m);
}
// node_modules/svelte/src/internal/client/dom/elements/misc.js
var Qe = !1;
function $e() {
	Qe || (Qe = !0, document.addEventListener("reset", (e) => {
		Promise.resolve().then(() => {
			if (!e.defaultPrevented) for (let t of e.target.elements) t[de]?.();
		});
	}, { capture: !0 }));
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/shared.js
function et(e) {
	var t = U, n = G;
	W(null), jn(null);
	try {
		return e();
	} finally {
		W(t), jn(n);
	}
}
function tt(e, t, n, r = n) {
	e.addEventListener(t, () => et(n));
	let i = e[de];
	e[de] = i ? () => {
		i(), r(!0);
	} : () => r(!0), $e();
}
// node_modules/svelte/src/internal/client/reactivity/async.js
function nt(e, t, n, r) {
	let i = We() ? ot : lt;
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
				rn(e, s);
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
		Promise.all(n.map((e) => /* @__PURE__ */ ct(e))).then(u).catch((e) => rn(e, s)).finally(d);
	}
	l ? l.then(() => {
		s.f & 16384 ? d() : (c(), f(), it());
	}) : f();
}
function rt() {
	var e = G, t = U, n = k, r = M;
	return function(i = !0) {
		jn(e), W(t), Be(n), i && !(e.f & 16384) && (r?.activate(), r?.apply());
	};
}
function it(e = !0) {
	jn(null), W(null), Be(null), e && M?.deactivate();
}
function at() {
	var e = G, t = e.b, n = M, r = !!t?.is_rendered();
	return t?.update_pending_count(1, n), n.increment(r, e), () => {
		t?.update_pending_count(-1, n), n.decrement(r, e);
	};
}
/*#__NO_SIDE_EFFECTS__*/
function ot(e) {
	var t = 2 | h;
	return G !== null && (G.f |= S), {
		ctx: k,
		deps: null,
		effects: null,
		equals: Ee,
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
	r === null && Ae();
	var i = void 0, a = It(w), o = !U, s = /* @__PURE__ */ new Set();
	return mn(() => {
		var t = G, n = p();
		i = n.promise;
		try {
			Promise.resolve(e()).then(n.resolve, (e) => {
				e !== fe && n.reject(e);
			}).finally(it);
		} catch (e) {
			n.reject(e), it();
		}
		var c = M;
		if (o) {
			if (t.f & 32768) var l = at();
			if (r.b?.is_rendered()) c.async_deriveds.get(t)?.reject(st);
			else for (let e of s.values()) e.reject(st);
			s.add(n), c.async_deriveds.set(t, n);
		}
		let u = (e, t = void 0) => {
			l?.(), s.delete(n), t !== st && (c.activate(), t ? (a.f |= re, Bt(a, t)) : (a.f & 8388608 && (a.f ^= re), Bt(a, e)), c.deactivate());
		};
		n.promise.then(u, (e) => u(null, e || "unknown"));
	}), ln(() => {
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
function j(e) {
	let t = /* @__PURE__ */ ot(e);
	return Nn(t), t;
}
/*#__NO_SIDE_EFFECTS__*/
function lt(e) {
	let t = /* @__PURE__ */ ot(e);
	return t.equals = Oe, t;
}
function ut(e) {
	var t = e.effects;
	if (t !== null) {
		e.effects = null;
		for (var n = 0; n < t.length; n += 1) H(t[n]);
	}
}
function dt(e) {
	var t, n = G, r = e.parent;
	if (!On && r !== null && e.v !== w && r.f & 24576) return ve(), e.v;
	jn(r);
	try {
		ut(e), t = Un(e);
	} finally {
		jn(n);
	}
	return t;
}
function ft(e) {
	var t = dt(e);
	!e.equals(t) && (e.wv = Bn(), (!M?.is_fork || e.deps === null) && (M === null ? e.v = t : (M.capture(e, t, !0), gt?.capture(e, t, !0)), e.deps === null)) ? A(e, m) : On || (_t === null ? Xe(e) : (cn() || M?.is_fork) && _t.set(e, t));
}
function pt(e) {
	if (e.effects !== null) for (let t of e.effects) (t.teardown || t.ac) && (t.teardown?.(), t.ac !== null && et(() => {
		t.ac.abort(fe), t.ac = null;
	}), t.fn !== null && (t.teardown = d), Kn(t, 0), vn(t));
}
function mt(e) {
	if (e.effects !== null) for (let t of e.effects) t.teardown && t.fn !== null && qn(t);
}
// node_modules/svelte/src/internal/client/reactivity/batch.js
var ht = null, M = null, gt = null, _t = null, vt = null, yt = !1, bt = !1, xt = null, St = null, Ct = 0, wt = 1, Tt = class e {
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
		ht === null ? ht = this : (ht.next = this, this.prev = ht), ht = this;
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
			for (var r of n.d) A(r, h), t(r);
			for (r of n.m) A(r, g), t(r);
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
		if (M = null, r.length > 0) {
			var i = e.ensure();
			for (let e of r) i.schedule(e);
		}
		if (xt = null, St = null, this.#d()) {
			this.#y(n), this.#y(t);
			for (let [e, t] of this.#c) jt(e, t);
			r.length > 0 && M.#m();
			return;
		}
		let a = this.#g();
		if (a) this.#y(n), this.#y(t), a.#v(this);
		else {
			this.#s.clear();
			for (let e of this.#e) e(this);
			this.#e.clear(), gt = this, kt(n), kt(t), gt = null, this.#i?.resolve();
			var o = M;
			this.#n === 0 && (this.#a.length === 0 || o !== null) && this.#b(), o !== null && (Pt.clear(), o.#m());
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
					r & 4194320 && !this.async_deriveds.has(i) && (this.#s.delete(i), A(i, h), this.schedule(i));
				}
			}
		};
		for (let e of this.current.keys()) t(e);
		this.oncommit(() => e.discard()), e.#b(), M = this, this.#m();
	}
	#y(e) {
		for (var t = 0; t < e.length; t += 1) Ze(e[t], this.#s);
	}
	capture(e, t, n = !1) {
		e.v !== w && !this.previous.has(e) && this.previous.set(e, e.v), e.f & 8388608 || (this.current.set(e, [t, n]), _t?.set(e, t)), this.is_fork || (e.v = t);
	}
	activate() {
		M = this;
	}
	deactivate() {
		M = null, _t = null;
	}
	flush() {
		try {
			bt = !0, M = this, this.#m();
		} finally {
			Ct = 0, vt = null, xt = null, St = null, bt = !1, M = null, _t = null, Pt.clear();
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
		if (M === null) {
			let t = M = new e();
			!bt && !yt && qe(() => {
				t.started || t.flush();
			});
		}
		return M;
	}
	apply() {
		_t = null;
	}
	schedule(e) {
		vt = e, e.b?.is_pending && e.f & 16777228 && !(e.f & 32768) ? e.b.defer_effect(e) : this.#a.push(e);
	}
	#b() {
		if (this.linked) {
			var e = this.prev, t = this.next;
			e === null || (e.next = t), t === null ? ht = e : t.prev = e, this.linked = !1;
		}
	}
};
function Et(e) {
	var t = yt, n = gt;
	gt = null, yt = !0;
	try {
		var r;
		for (e && (Et(), r = e());;) {
			if (Je(), M === null) return r;
			M.flush();
		}
	} finally {
		yt = t, gt = n;
	}
}
function Dt() {
	try {
		Fe();
	} catch (e) {
		rn(e, vt);
	}
}
var Ot = null;
function kt(e) {
	var t = e.length;
	if (t !== 0) {
		for (var n = 0; n < t;) {
			var r = e[n++];
			if (!(r.f & 24576) && Vn(r) && (Ot = /* @__PURE__ */ new Set(), qn(r), r.deps === null && r.first === null && r.nodes === null && r.teardown === null && r.ac === null && xn(r), Ot?.size > 0)) {
				Pt.clear();
				for (let e of Ot) {
					if (e.f & 24576) continue;
					let t = [e], n = e.parent;
					for (; n !== null;) Ot.has(n) && (Ot.delete(n), t.push(n)), n = n.parent;
					for (let e = t.length - 1; e >= 0; e--) {
						let n = t[e];
						n.f & 24576 || qn(n);
					}
				}
				Ot.clear();
			}
		}
		Ot = null;
	}
}
function At(e) {
	M.schedule(e);
}
function jt(e, t) {
	if (!(e.f & 32 && e.f & 1024)) {
		e.f & 2048 ? t.d.push(e) : e.f & 4096 && t.m.push(e), A(e, m);
		for (var n = e.first; n !== null;) jt(n, t), n = n.next;
	}
}
function Mt(e) {
	A(e, m);
	for (var t = e.first; t !== null;) Mt(t), t = t.next;
}
// node_modules/svelte/src/internal/client/reactivity/sources.js
var Nt = /* @__PURE__ */ new Set(), Pt = /* @__PURE__ */ new Map(), Ft = !1;
function It(e, t) {
	return {
		f: 0,
		v: e,
		reactions: null,
		equals: Ee,
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
	return t || (r.equals = Oe), r;
}
function P(e, t, n = !1) {
	return U !== null && (!An || U.f & 131072) && We() && U.f & 4325394 && (Mn === null || !Mn.has(e)) && Re(), Bt(e, n ? Wt(t) : t, St);
}
var Rt = null, zt = 0;
function Bt(e, t, n = null) {
	if (!e.equals(t)) {
		On ? Pt.set(e, t) : Pt.has(e) || Pt.set(e, e.v);
		var r = Tt.ensure();
		if (r.capture(e, t), e.f & 2) {
			let t = e;
			e.f & 2048 && dt(t), _t === null && Xe(t);
		}
		e.wv = Bn(), Rt = null, zt = 0, Ut(e, h, n), Rt = null, We() && G !== null && G.f & 1024 && !(G.f & 96) && (Pn === null ? Fn([e]) : Pn.push(e)), !r.is_fork && Nt.size > 0 && !Ft && Vt();
	}
	return t;
}
function Vt() {
	Ft = !1;
	for (let e of Nt) {
		e.f & 1024 && A(e, g);
		let t;
		try {
			t = Vn(e);
		} catch {
			t = !0;
		}
		t && qn(e);
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
				var l = (c & h) === 0;
				if (l && A(s, t), c & 131072) Nt.add(s);
				else if (c & 2) {
					var u = s;
					_t?.delete(u), Ut(u, g, n);
				} else if (l) {
					var d = s;
					c & 16 && Ot !== null && Ot.add(d), n === null ? At(d) : n.push(d);
				}
			}
		}
	}
}
function Wt(t) {
	if (typeof t != "object" || !t || ie in t || ae in t) return t;
	let n = l(t);
	if (n !== s && n !== c) return t;
	var r = /* @__PURE__ */ new Map(), i = e(t), o = /* @__PURE__ */ N(0), u = null, d = Rn, f = (e) => {
		if (Rn === d) return e();
		var t = U, n = Rn;
		W(null), zn(d);
		var r = e();
		return W(t), zn(n), r;
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
			if (n === ie) return t;
			var o = r.get(n), s = n in e;
			if (o === void 0 && (!s || a(e, n)?.writable) && (o = f(() => /* @__PURE__ */ N(Wt(s ? e[n] : w), u)), r.set(n, o)), o !== void 0) {
				var c = J(o);
				return c === w ? void 0 : c;
			}
			return Reflect.get(e, n, i);
		},
		getOwnPropertyDescriptor(e, t) {
			this.has?.(e, t);
			var n = Reflect.getOwnPropertyDescriptor(e, t), i = r.get(t);
			if (i !== void 0) {
				var a = J(i);
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
			if (t === ie) return !0;
			var n = r.get(t), i = n !== void 0 && n.v !== w || Reflect.has(e, t);
			return (n !== void 0 || (G !== null || U !== null) && (!i || a(e, t)?.writable)) && (n === void 0 && (n = f(() => /* @__PURE__ */ N(i ? Wt(e[t]) : w, u)), r.set(t, n)), J(n) === w) ? !1 : i;
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
			J(o);
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
var Gt, Kt, qt, Jt;
function Yt() {
	if (Gt === void 0) {
		Gt = window, Kt = /Firefox/.test(navigator.userAgent);
		var e = Element.prototype, t = Node.prototype, n = Text.prototype;
		qt = a(t, "firstChild").get, Jt = a(t, "nextSibling").get, u(e) && (e[ce] = void 0, e[se] = null, e[le] = void 0, e.__e = void 0), u(n) && (n[ue] = void 0);
	}
}
function F(e = "") {
	return document.createTextNode(e);
}
/*@__NO_SIDE_EFFECTS__*/
function I(e) {
	return qt.call(e);
}
/*@__NO_SIDE_EFFECTS__*/
function Xt(e) {
	return Jt.call(e);
}
function L(e, t) {
	if (!T) return /* @__PURE__ */ I(e);
	var n = /* @__PURE__ */ I(E);
	if (n === null) n = E.appendChild(F());
	else if (t && n.nodeType !== 3) {
		var r = F();
		return n?.before(r), D(r), r;
	}
	return t && tn(n), D(n), n;
}
function Zt(e, t = !1) {
	if (!T) {
		var n = /* @__PURE__ */ I(e);
		return n instanceof Comment && n.data === "" ? /* @__PURE__ */ Xt(n) : n;
	}
	if (t) {
		if (E?.nodeType !== 3) {
			var r = F();
			return E?.before(r), D(r), r;
		}
		tn(E);
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
	for (var i; t--;) i = r, r = /* @__PURE__ */ Xt(r);
	if (!T) return r;
	if (n) {
		if (r?.nodeType !== 3) {
			var a = F();
			return r === null ? i?.after(a) : r.before(a), D(a), a;
		}
		tn(r);
	}
	return D(r), r;
}
function Qt(e) {
	e.textContent = "";
}
function $t() {
	return !1;
}
function en(e, t, n) {
	return t == null || t === "http://www.w3.org/1999/xhtml" ? n ? document.createElement(e, { is: n }) : document.createElement(e) : n ? document.createElementNS(t, e, { is: n }) : document.createElementNS(t, e);
}
function tn(e) {
	if (e.nodeValue.length < 65536) return;
	let t = e.nextSibling;
	for (; t !== null && t.nodeType === 3;) t.remove(), e.nodeValue += t.nodeValue, t = e.nextSibling;
}
function nn(e) {
	var t = G;
	if (t === null) return U.f |= re, e;
	if (!(t.f & 32768) && !(t.f & 4)) throw e;
	rn(e, t);
}
function rn(e, t) {
	if (e === me) throw e;
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
function an(e) {
	G === null && (U === null && Pe(e), Ne()), On && Me(e);
}
function on(e, t) {
	var n = t.last;
	n === null ? t.last = t.first = e : (n.next = e, e.prev = n, t.last = e);
}
function sn(e, t) {
	var n = G;
	n !== null && n.f & 8192 && (e |= _);
	var r = {
		ctx: k,
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
	M?.register_created_effect(r);
	var i = r;
	if (e & 4) xt === null ? Tt.ensure().schedule(r) : xt.push(r);
	else if (t !== null) {
		try {
			qn(r);
		} catch (e) {
			throw H(r), e;
		}
		i.deps === null && i.teardown === null && i.nodes === null && i.first === i.last && !(i.f & 524288) && (i = i.first, e & 16 && e & 65536 && i !== null && (i.f |= x));
	}
	if (i !== null && (i.parent = n, n !== null && on(i, n), U !== null && U.f & 2 && !(e & 64))) {
		var a = U;
		(a.effects ??= []).push(i);
	}
	return r;
}
function cn() {
	return U !== null && !An;
}
function ln(e) {
	let t = sn(8, null);
	return A(t, m), t.teardown = e, t;
}
function un(e) {
	an("$effect");
	var t = G.f;
	if (!U && t & 32 && k !== null && !k.i) {
		var n = k;
		(n.e ??= []).push(e);
	} else return dn(e);
}
function dn(e) {
	return sn(4 | ee, e);
}
function fn(e) {
	Tt.ensure();
	let t = sn(64 | S, e);
	return (e = {}) => new Promise((n) => {
		e.outro ? Sn(t, () => {
			H(t), n(void 0);
		}) : (H(t), n(void 0));
	});
}
function pn(e) {
	return sn(4, e);
}
function mn(e) {
	return sn(C | S, e);
}
function hn(e, t = 0) {
	return sn(8 | t, e);
}
function B(e, t = [], n = [], r = []) {
	nt(r, t, n, (t) => {
		sn(8, () => {
			e(...t.map(J));
		});
	});
}
function gn(e, t = 0) {
	return sn(16 | t, e);
}
function V(e) {
	return sn(32 | S, e);
}
function _n(e) {
	var t = e.teardown;
	if (t !== null) {
		let n = On, r = U;
		kn(!0), W(null);
		try {
			t.call(null);
		} catch (t) {
			rn(t, e.parent);
		} finally {
			kn(n), W(r);
		}
	}
}
function vn(e, t = !1) {
	var n = e.first;
	for (e.first = e.last = null; n !== null;) {
		let e = n.ac;
		e !== null && et(() => {
			e.abort(fe);
		});
		var r = n.next;
		n.f & 64 ? n.parent = null : H(n, t), n = r;
	}
}
function yn(e) {
	for (var t = e.first; t !== null;) {
		var n = t.next;
		t.f & 32 || H(t), t = n;
	}
}
function H(e, t = !0) {
	var n = !1;
	(t || e.f & 262144) && e.nodes !== null && e.nodes.end !== null && (bn(e.nodes.start, e.nodes.end), n = !0), e.f |= b, vn(e, t && !n), Kn(e, 0);
	var r = e.nodes && e.nodes.t;
	if (r !== null) for (let e of r) e.stop();
	_n(e), e.f ^= b, e.f |= v;
	var i = e.parent;
	i !== null && i.first !== null && xn(e), e.next = e.prev = e.teardown = e.ctx = e.deps = e.fn = e.nodes = e.ac = e.b = null;
}
function bn(e, t) {
	for (; e !== null;) {
		var n = e === t ? null : /* @__PURE__ */ Xt(e);
		e.remove(), e = n;
	}
}
function xn(e) {
	var t = e.parent, n = e.prev, r = e.next;
	n !== null && (n.next = r), r !== null && (r.prev = n), t !== null && (t.first === e && (t.first = r), t.last === e && (t.last = n));
}
function Sn(e, t, n = !0) {
	var r = [];
	e.f |= 256, Cn(e, r, !0);
	var i = () => {
		n && H(e), t && t();
	}, a = r.length;
	if (a > 0) {
		var o = () => --a || i();
		for (var s of r) s.out(o);
	} else i();
}
function Cn(e, t, n) {
	if (!(e.f & 8192)) {
		e.f ^= _;
		var r = e.nodes && e.nodes.t;
		if (r !== null) for (let e of r) (e.is_global || n) && t.push(e);
		for (var i = e.first; i !== null;) {
			var a = i.next;
			if (!(i.f & 64)) {
				var o = !!(i.f & 65536) || !!(i.f & 32) && !!(e.f & 16);
				Cn(i, t, o ? n : !1);
			}
			i = a;
		}
	}
}
function wn(e) {
	e.f &= -257, Tn(e, !0);
}
function Tn(e, t) {
	if (!(e.f & 256) && e.f & 8192) {
		e.f ^= _, e.f & 1024 || (A(e, h), Tt.ensure().schedule(e));
		for (var n = e.first; n !== null;) {
			var r = n.next, i = !!(n.f & 65536) || !!(n.f & 32);
			Tn(n, i ? t : !1), n = r;
		}
		var a = e.nodes && e.nodes.t;
		if (a !== null) for (let e of a) (e.is_global || t) && e.in();
	}
}
function En(e, t) {
	if (e.nodes) for (var n = e.nodes.start, r = e.nodes.end; n !== null;) {
		var i = n === r ? null : /* @__PURE__ */ Xt(n);
		t.append(n), n = i;
	}
}
// node_modules/svelte/src/internal/client/legacy.js
var Dn = null, On = !1;
function kn(e) {
	On = e;
}
var U = null, An = !1;
function W(e) {
	U = e;
}
var G = null;
function jn(e) {
	G = e;
}
var Mn = null;
function Nn(e) {
	U !== null && (U.f & 2097152 || U.f & 2) && (Mn ??= /* @__PURE__ */ new Set()).add(e);
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
			if (Vn(a) && ft(a), a.wv > e.wv) return !0;
		}
		t & 512 && _t === null && A(e, m);
	}
	return !1;
}
function Hn(e, t, n = !0) {
	var r = e.reactions;
	if (r !== null && !(Mn !== null && Mn.has(e))) for (var i = 0; i < r.length; i++) {
		var a = r[i];
		a.f & 2 ? Hn(a, t, !1) : t === a && (n ? A(a, h) : a.f & 1024 && A(a, g), At(a));
	}
}
function Un(e) {
	var t = K, n = q, r = Pn, i = U, a = Mn, o = k, s = An, c = Rn, l = e.f;
	K = null, q = 0, Pn = null, U = l & 96 ? null : e, Mn = null, Be(e.ctx), An = !1, Rn = ++Ln, e.ac !== null && (et(() => {
		e.ac.abort(fe);
	}), e.ac = null);
	try {
		e.f |= ne;
		var u = e.fn, d = u();
		e.f |= y;
		var f = Wn(e);
		if (We() && Pn !== null && !An && f !== null && !(e.f & 6146)) for (var p = 0; p < Pn.length; p++) Hn(Pn[p], e);
		if (i !== null && i !== e) {
			if (Ln++, i.deps !== null) for (let e = 0; e < n; e += 1) i.deps[e].rv = Ln;
			if (t !== null) for (let e of t) e.rv = Ln;
			Pn !== null && (r === null ? r = Pn : r.push(...Pn));
		}
		return e.f & 8388608 && (e.f ^= re), d;
	} catch (t) {
		return Wn(e), nn(t);
	} finally {
		e.f ^= ne, K = t, q = n, Pn = r, U = i, Mn = a, Be(o), An = s, Rn = c;
	}
}
function Wn(e) {
	var t = e.deps, n = M?.is_fork;
	if (K !== null) {
		var r;
		if (n || Kn(e, q), t !== null && q > 0) for (t.length = q + K.length, r = 0; r < K.length; r++) t[q + r] = K[r];
		else e.deps = t = K;
		if (cn() && e.f & 512) for (r = q; r < t.length; r++) (t[r].reactions ??= []).push(e);
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
		s.f & 512 && (s.f ^= 512), s.v !== w && Xe(s), s.ac !== null && et(() => {
			s.ac.abort(fe), s.ac = null, A(s, h);
		}), pt(s), Kn(s, 0);
	}
}
function Kn(e, t) {
	var n = e.deps;
	if (n !== null) for (var r = t; r < n.length; r++) Gn(e, n[r]);
}
function qn(e) {
	var t = e.f;
	if (!(t & 16384)) {
		A(e, m);
		var n = G;
		G = e;
		try {
			t & 16777232 ? yn(e) : vn(e), _n(e);
			var r = Un(e);
			e.teardown = typeof r == "function" ? r : null, e.wv = In;
		} finally {
			G = n;
		}
	}
}
async function Jn() {
	await Promise.resolve(), Et();
}
function J(e) {
	var t = !!(e.f & 2);
	if (Dn?.add(e), U !== null && !An && !(G !== null && G.f & 16384) && (Mn === null || !Mn.has(e))) {
		var r = U.deps;
		if (U.f & 2097152) e.rv < Ln && (e.rv = Ln, K === null && r !== null && r[q] === e ? q++ : K === null ? K = [e] : K.push(e));
		else {
			U.deps ??= [], n.call(U.deps, e) || U.deps.push(e);
			var i = e.reactions;
			i === null ? e.reactions = [U] : n.call(i, U) || i.push(U);
		}
	}
	if (On && Pt.has(e)) return Pt.get(e);
	if (t) {
		var a = e;
		if (On) {
			var o = a.v;
			return (!(a.f & 1024) && a.reactions !== null || Xn(a)) && (o = dt(a)), Pt.set(a, o), o;
		}
		var s = !(a.f & 512) && !An && U !== null && !!(U.f & 512), c = (a.f & y) === 0;
		Vn(a) && (s && (a.f |= 512), ft(a)), s && !c && (mt(a), Yn(a));
	}
	if (_t?.has(e)) return _t.get(e);
	if (e.f & 8388608) throw e.v;
	return e.v;
}
function Yn(e) {
	if (e.f |= 512, e.deps !== null) for (let r of e.deps) {
		var t = r.reactions;
		t === null ? r.reactions = [e] : n.call(t, e) || t.push(e), r.f & 2 && !(r.f & 512) && (mt(r), Yn(r));
	}
}
function Xn(e) {
	if (e.v === w) return !0;
	if (e.deps === null) return !1;
	for (let t of e.deps) if (Pt.has(t) || t.f & 2 && Xn(t)) return !0;
	return !1;
}
function Zn(e) {
	var t = An;
	try {
		return An = !0, e();
	} finally {
		An = t;
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
		if (r.capture || lr.call(t, e), !e.cancelBubble) return et(() => n?.call(this, e));
	}
	return e.startsWith("pointer") || e.startsWith("touch") || e === "wheel" ? (i.__removed = !1, qe(() => {
		i.__removed || t.addEventListener(e, i, r);
	})) : t.addEventListener(e, i, r), i;
}
function ir(e, t, n, r, i) {
	var a = {
		capture: r,
		passive: i
	}, o = rr(e, t, n, a);
	(t === document.body || t === window || t === document || t instanceof HTMLMediaElement) && ln(() => {
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
		var d = U, f = G;
		W(null), jn(null);
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
			e[er] = t, delete e.currentTarget, W(d), jn(f);
		}
	}
}
// node_modules/svelte/src/internal/client/dom/reconciler.js
var ur = globalThis?.window?.trustedTypes && /* @__PURE__ */ globalThis.window.trustedTypes.createPolicy("svelte-trusted-html", { createHTML: (e) => e });
function dr(e) {
	return ur?.createHTML(e) ?? e;
}
function fr(e) {
	var t = en("template");
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
		if (T) return pr(E, null), E;
		i === void 0 && (i = fr(a ? e : "<!>" + e), n || (i = /* @__PURE__ */ I(i)));
		var t = r || Kt ? document.importNode(i, !0) : i.cloneNode(!0);
		if (n) {
			var o = /* @__PURE__ */ I(t), s = t.lastChild;
			pr(o, s);
		} else pr(t, t);
		return t;
	};
}
function mr(e = "") {
	if (!T) {
		var t = F(e + "");
		return pr(t, t), t;
	}
	var n = E;
	return n.nodeType === 3 ? tn(n) : (n.before(n = F()), D(n)), pr(n, n), n;
}
function hr() {
	if (T) return pr(E, null), E;
	var e = document.createDocumentFragment(), t = document.createComment(""), n = F();
	return e.append(t, n), pr(t, n), e;
}
function X(e, t) {
	if (T) {
		var n = G;
		n.f & 32768 && n.nodes.end !== null || (n.nodes.end = E), Se();
	} else e !== null && e.before(t);
}
// node_modules/svelte/src/reactivity/create-subscriber.js
function gr(e) {
	let t = 0, n = It(0), r;
	return () => {
		cn() && (J(n), hn(() => (t === 0 && (r = Zn(() => e(() => Ht(n)))), t += 1, () => {
			qe(() => {
				--t, t === 0 && (r?.(), r = void 0, Ht(n));
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
	#m = gr(() => (this.#p = It(this.#l), () => {
		this.#p = null;
	}));
	constructor(e, t, n, r) {
		this.#e = e, this.#n = t, this.#r = (e) => {
			var t = G;
			t.b = this, t.f |= 128, n(e);
		}, this.parent = G.b, this.transform_error = r ?? this.parent?.transform_error ?? ((e) => e), this.#i = gn(() => {
			if (T) {
				let e = Te(this.#t);
				Se();
				let t = e === "[!";
				if (e.startsWith("[?")) {
					let t = JSON.parse(e.slice(2));
					this.#g(t);
				} else t ? this.#y() : this.#h();
			} else this.#b();
		}, _r), T && (this.#e = E);
	}
	#h() {
		try {
			this.#a = V(() => this.#r(this.#e));
		} catch (e) {
			this.error(e);
		}
	}
	#g(e) {
		let t = this.#n.failed, { reset: n, invoke_onerror: r } = this.#_(e);
		qe(r), t && (this.#s = V(() => {
			t(this.#e, () => e, () => n);
		}));
	}
	#_(e) {
		var t = !1, n = !1;
		let r = () => {
			this.#v() || (t ? be() : (t = !0, n && ze(), this.#s !== null && Sn(this.#s, () => {
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
					rn(e, this.#i && this.#i.parent);
				}
			}
		};
	}
	#v() {
		return (this.#i.f & (v | b)) !== 0;
	}
	#y() {
		let e = this.#n.pending;
		e && (this.is_pending = !0, this.#o = V(() => e(this.#e)), qe(() => {
			if (!this.#v()) {
				var e = this.#c = document.createDocumentFragment(), t = F(), n = !1;
				e.append(t), this.#a = this.#S(() => {
					try {
						return V(() => this.#r(t));
					} catch (e) {
						try {
							this.error(e), n = !0;
						} catch (e) {
							rn(e, this.#i.parent);
						}
						return null;
					}
				}), this.#a === null ? (this.#c = null, n && this.#x(M)) : this.#u === 0 && (this.#e.before(e), this.#c = null, Sn(this.#o, () => {
					this.#o = null;
				}), this.#x(M));
			}
		}));
	}
	#b() {
		try {
			if (this.is_pending = this.has_pending_snippet(), this.#u = 0, this.#l = 0, this.#a = V(() => {
				this.#r(this.#e);
			}), this.#u > 0) {
				var e = this.#c = document.createDocumentFragment();
				En(this.#a, e);
				let t = this.#n.pending;
				this.#o = V(() => t(this.#e));
			} else this.#x(M);
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
		var t = G, n = U, r = k;
		jn(this.#i), W(this.#i), Be(this.#i.ctx);
		try {
			return Tt.ensure(), e();
		} finally {
			jn(t), W(n), Be(r);
		}
	}
	#C(e, t) {
		this.has_pending_snippet() ? (this.#u += e, this.#u === 0 && (this.#x(t), this.#o && Sn(this.#o, () => {
			this.#o = null;
		}), this.#c &&= (this.#e.before(this.#c), null))) : this.parent && this.parent.#C(e, t);
	}
	update_pending_count(e, t) {
		this.#C(e, t), this.#l += e, !this.#p || this.#d || (this.#d = !0, qe(() => {
			this.#d = !1, this.#p && Bt(this.#p, this.#l);
		}));
	}
	get_effect_pending() {
		return this.#m(), J(this.#p);
	}
	error(e) {
		if (e === me || !this.#n.onerror && !this.#n.failed) throw e;
		M?.is_fork ? (this.#a && M.skip_effect(this.#a), this.#o && M.skip_effect(this.#o), this.#s && M.skip_effect(this.#s), M.oncommit(() => {
			this.#v() || this.#w(e);
		})) : this.#w(e);
	}
	#w(e) {
		this.#a &&= (H(this.#a), null), this.#o &&= (H(this.#o), null), this.#s &&= (H(this.#s), null), T && (D(this.#t), Ce(), D(we()));
		let t = this.#n.failed, n = (e) => {
			if (this.#v()) return;
			let { reset: n, invoke_onerror: r } = this.#_(e);
			r(), t && !this.#v() && (this.#s = this.#S(() => {
				try {
					return V(() => {
						var r = G;
						r.b = this, r.f |= 128, t(this.#e, () => e, () => n);
					});
				} catch (e) {
					return rn(e, this.#i.parent), null;
				}
			}));
		};
		qe(() => {
			if (!this.#v()) {
				var t;
				try {
					t = this.transform_error(e);
				} catch (e) {
					rn(e, this.#i && this.#i.parent);
					return;
				}
				typeof t == "object" && t && typeof t.then == "function" ? t.then(n, (e) => rn(e, this.#i && this.#i.parent)) : n(t);
			}
		});
	}
};
function Z(e, t) {
	var n = t == null ? "" : typeof t == "object" ? `${t}` : t;
	n !== (e[ue] ??= e.nodeValue) && (e[ue] = n, e.nodeValue = `${n}`);
}
function br(e, t) {
	return Sr(e, t);
}
var xr = /* @__PURE__ */ new Map();
function Sr(e, { target: t, anchor: n, props: i = {}, events: a, context: o, intro: s = !0, transformError: c }) {
	Yt();
	var l = void 0, u = fn(() => {
		var s = n ?? t.appendChild(F());
		vr(s, { pending: () => {} }, (t) => {
			Ve({});
			var n = k;
			if (o && (n.c = o), a && (i.$$events = a), T && pr(t, null), l = e(t, i) || Ue(), T && (G.nodes.end = E, E === null || E.nodeType !== 8 || E.data !== "]")) throw ye(), me;
			He();
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
			if (n) wn(n), this.#r.delete(t);
			else {
				var r = this.#n.get(t);
				r && (wn(r.effect), this.#t.set(t, r.effect), this.#n.delete(t), r.fragment.lastChild.remove(), this.anchor.before(r.fragment), n = r.effect);
			}
			for (let [t, n] of this.#e) {
				if (this.#e.delete(t), t === e) break;
				let r = this.#n.get(n);
				r && (H(r.effect), this.#n.delete(n));
			}
			for (let [e, r] of this.#t) {
				if (e === t || this.#r.has(e)) continue;
				let i = () => {
					if (Array.from(this.#e.values()).includes(e)) {
						var t = document.createDocumentFragment();
						En(r, t), t.append(F()), this.#n.set(e, {
							effect: r,
							fragment: t
						});
					} else H(r);
					this.#r.delete(e), this.#t.delete(e);
				};
				this.#i || !n ? (this.#r.add(e), Sn(r, i, !1)) : i();
			}
		}
	};
	#o = (e) => {
		this.#e.delete(e);
		let t = Array.from(this.#e.values());
		for (let [e, n] of this.#n) t.includes(e) || (H(n.effect), this.#n.delete(e));
	};
	ensure(e, t) {
		var n = M, r = $t();
		if (t && !this.#t.has(e) && !this.#n.has(e)) {
			if (r) {
				var i = document.createDocumentFragment(), a = F();
				i.append(a), this.#n.set(e, {
					effect: V(() => t(a)),
					fragment: i
				});
			} else this.#t.set(e, V(() => t(this.anchor)));
		}
		if (this.#e.set(n, e), r) {
			for (let [t, r] of this.#t) t === e ? n.unskip_effect(r) : n.skip_effect(r);
			for (let [t, r] of this.#n) t === e ? n.unskip_effect(r.effect) : n.skip_effect(r.effect);
			n.oncommit(this.#a), n.ondiscard(this.#o);
		} else T && (this.anchor = E), this.#a(n);
	}
};
// node_modules/svelte/src/internal/client/dom/blocks/if.js
function Q(e, t, n = !1) {
	var r;
	T && (r = E, Se());
	var i = new wr(e), a = n ? x : 0;
	function o(e, t) {
		if (T) {
			var n = Te(r);
			if (e !== parseInt(n.substring(1))) {
				var a = we();
				D(a), i.anchor = a, xe(!1), i.ensure(e, t), xe(!0);
				return;
			}
		}
		i.ensure(e, t);
	}
	gn(() => {
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
		Sn(n, () => {
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
			Qt(d), d.append(u), e.items.clear();
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
		r?.has(a) ? (a.f |= te, En(a, document.createDocumentFragment())) : H(t[i], n);
	}
}
var Or;
function kr(t, n, i, a, o, s = null) {
	var c = t, l = /* @__PURE__ */ new Map();
	if (n & 4) {
		var u = t;
		c = T ? D(/* @__PURE__ */ I(u)) : u.appendChild(F());
	}
	T && Se();
	var d = null, f = /* @__PURE__ */ lt(() => {
		var t = i();
		return e(t) ? t : t == null ? [] : r(t);
	}), p = /* @__PURE__ */ new Map(), m = !0;
	function h(e) {
		if (!(_.effect.f & 16384)) {
			_.pending.delete(e);
			var t = J(f);
			_.fallback = d, jr(_, t, c, n, a), d !== null && (t.length === 0 ? d.f & 33554432 ? (d.f ^= te, Nr(d, null, c)) : wn(d) : Sn(d, () => {
				d = null;
			}));
		}
	}
	function g(e) {
		_.pending.delete(e);
	}
	var _ = {
		effect: gn(() => {
			var e = J(f), t = e.length;
			let r = !1;
			T && Te(c) === "[!" != (t === 0) && (c = we(), D(c), xe(!1), r = !0);
			for (var u = /* @__PURE__ */ new Set(), _ = M, v = $t(), y = 0; y < t; y += 1) {
				T && E.nodeType === 8 && E.data === "]" && (c = E, r = !0, xe(!1));
				var b = e[y], x = a(b, y), S = m ? null : l.get(x);
				S ? (S.v && Bt(S.v, b), S.i && Bt(S.i, y), v && _.unskip_effect(S.e)) : (S = Mr(l, m ? c : Or ??= F(), b, x, y, o, n, i), m || (S.e.f |= te), l.set(x, S)), u.add(x);
			}
			if (t === 0 && s && !d && (m ? d = V(() => s(c)) : (d = V(() => s(Or ??= F())), d.f |= te)), t > u.size && je("", "", ""), T && t > 0 && D(we()), !m) {
				if (p.set(_, u), v) {
					for (let [e, t] of l) u.has(e) || _.skip_effect(t.e);
					_.oncommit(h), _.ondiscard(g);
				} else h(_);
			}
			r && xe(!0), J(f);
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
		if (_.f & 8192 && (wn(_), o && (_.nodes?.a?.unfix(), (f ??= /* @__PURE__ */ new Set()).delete(_))), _.f & 33554432) {
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
			var re = i & 4 && s === 0 ? n : null;
			if (o) {
				for (v = 0; v < C; v += 1) ne[v].nodes?.a?.measure();
				for (v = 0; v < C; v += 1) ne[v].nodes?.a?.fix();
			}
			Er(e, ne, re);
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
		e: V(() => (a(t, c ?? n, l ?? i, s), () => {
			e.delete(r);
		}))
	};
}
function Nr(e, t, n) {
	if (e.nodes) for (var r = e.nodes.start, i = e.nodes.end, a = t && !(t.f & 33554432) ? t.nodes.start : n; r !== null;) {
		var o = /* @__PURE__ */ Xt(r);
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
	B(() => {
		var e = G;
		if (s === (s = t() ?? "")) T && Se();
		else if (n && !T) e.nodes = null, c.innerHTML = s, s !== "" && pr(/* @__PURE__ */ I(c), c.lastChild);
		else if (e.nodes !== null && (bn(e.nodes.start, e.nodes.end), e.nodes = null), s !== "") {
			if (T) {
				for (var a = E.data, l = Se(), u = l; l !== null && (l.nodeType !== 8 || l.data !== "");) u = l, l = /* @__PURE__ */ Xt(l);
				if (l === null) throw ye(), me;
				pr(E, u), o = D(l);
			} else {
				var d = en(r ? "svg" : i ? "math" : "template", r ? ge : i ? _e : void 0);
				d.innerHTML = s;
				var f = r || i ? d : d.content;
				if (pr(/* @__PURE__ */ I(f), f.lastChild), r || i) for (; /* @__PURE__ */ I(f);) o.before(/* @__PURE__ */ I(f));
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
	var o = e[ce];
	if (T || o !== n || o === void 0) {
		var s = Lr(n, r, a);
		T && s === e.getAttribute("class") || (s == null ? e.removeAttribute("class") : t ? e.className = s : e.setAttribute("class", s)), e[ce] = n;
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
	var i = e[le];
	if (T || i !== t) {
		var a = Br(t, r);
		T && a === e.getAttribute("style") || (a == null ? e.removeAttribute("style") : e.style.cssText = a), e[le] = t;
	} else r && (Array.isArray(r) ? (Hr(e, n?.[0], r[0]), Hr(e, n?.[1], r[1], "important")) : Hr(e, n, r));
	return r;
}
// node_modules/svelte/src/internal/client/dom/elements/attributes.js
var Wr = Symbol("is custom element"), Gr = Symbol("is html"), Kr = pe ? "link" : "LINK";
function qr(e) {
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
		e[de] = n, qe(n), $e();
	}
}
function Jr(e, t) {
	var n = Yr(e);
	n.checked !== (n.checked = t ?? void 0) && (e.checked = t);
}
function $(e, t, n, r) {
	var i = Yr(e);
	if (!(T && (i[t] = e.getAttribute(t), t === "src" || t === "srcset" || t === "href" && e.nodeName === Kr))) {
		var a = i[t];
		a !== (i[t] = n) && (t === "loading" && (e[oe] = n), n == null ? e.removeAttribute(t) : typeof n != "string" && Zr(e).has(t) ? e[t] = n : (!T || typeof n != "number" && typeof n != "boolean" || a !== String(n)) && e.setAttribute(t, n));
	}
}
function Yr(e) {
	return e[se] ??= {
		[Wr]: e.nodeName.includes("-"),
		[Gr]: e.namespaceURI === he
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
	tt(e, "input", async (i) => {
		var a = i ? e.defaultValue : e.value;
		if (a = ei(e) ? ti(a) : a, n(a), M !== null && r.add(M), await Jn(), a !== (a = t())) {
			var o = e.selectionStart, s = e.selectionEnd, c = e.value.length;
			if (e.value = a ?? "", s !== null) {
				var l = e.value.length;
				o === s && s === c && l > c ? (e.selectionStart = l, e.selectionEnd = l) : (e.selectionStart = o, e.selectionEnd = Math.min(s, l));
			}
		}
	}), (T && e.defaultValue !== e.value || Zn(t) == null && e.value) && (n(ei(e) ? ti(e.value) : e.value), M !== null && r.add(M)), hn(() => {
		var n = t();
		if (e === document.activeElement) {
			var i = M;
			if (r.has(i)) return;
		}
		ei(e) && n === ti(e.value) || (e.type !== "date" || n || e.value) && n !== e.value && (e.value = n ?? "");
	});
}
function $r(e, t, n = t) {
	tt(e, "change", (t) => {
		n(t ? e.defaultChecked : e.checked);
	}), (T && e.defaultChecked !== e.checked || Zn(t) == null) && n(e.checked), hn(() => {
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
	pn(() => (Zn(() => n(e[t])), r));
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/this.js
function ii(e, t) {
	return e === t || e?.[ie] === t;
}
function ai(e = Ue(), t, n, r) {
	var i = k.r, a = G;
	return pn(() => {
		var o, s;
		return hn(() => {
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
	k === null && ke("onMount"), un(() => {
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
var yi = /* @__PURE__ */ Y("<a> </a>"), bi = /* @__PURE__ */ Y("<p class=\"quiet svelte-1ktrefi\">The file is not part of the project.</p>"), xi = /* @__PURE__ */ Y("<button type=\"button\" class=\"line-link svelte-1ktrefi\"> </button>"), Si = /* @__PURE__ */ Y("<span class=\"line-plain svelte-1ktrefi\"> </span>"), Ci = /* @__PURE__ */ Y("<div><!> <code class=\"svelte-1ktrefi\"></code></div>"), wi = /* @__PURE__ */ Y("<section class=\"source-panel svelte-1ktrefi\" aria-label=\"Source\"><h3 class=\"svelte-1ktrefi\"><!></h3> <!> <div class=\"lines svelte-1ktrefi\" tabindex=\"0\" role=\"group\"></div></section>");
function Ti(e, t) {
	Ve(t, !0);
	let n = /* @__PURE__ */ new Map(), r = /* @__PURE__ */ N(Wt([])), i = /* @__PURE__ */ N(""), a = /* @__PURE__ */ N(!1), o = /* @__PURE__ */ N(void 0), s = /* @__PURE__ */ j(() => t.row.step.by.place), c = /* @__PURE__ */ j(() => {
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
	un(() => {
		let e = J(s)?.file, t = J(s)?.line;
		e && l(e).then(async (n) => {
			if (J(s)?.file !== e) return;
			P(i, e, !0), P(a, n === null), P(r, n ?? [], !0), await Jn();
			let c = J(o)?.querySelector(`[data-line="${t}"]`);
			c && (J(o).scrollTop = c.offsetTop - J(o).clientHeight / 2);
		});
	});
	function u(e) {
		let n = J(c).get(e) ?? [], r = n.find((e) => e > t.row.index) ?? n[0];
		r !== void 0 && t.onselect(r);
	}
	var d = wi(), f = L(d), p = L(f), m = (e) => {
		var t = yi(), n = R(t);
		B((e) => {
			$(t, "href", `/source/${e ?? ""}#L${J(s).line ?? ""}`), Z(n, `${J(s).file ?? ""}:${J(s).line ?? ""}`);
		}, [() => J(s).file.split("/").map(encodeURIComponent).join("/")]), X(e, t);
	}, h = (e) => {
		X(e, mr("No source line"));
	};
	Q(p, (e) => {
		J(s) ? e(m) : e(h, -1);
	}), O(f);
	var g = z(f, 2), _ = (e) => {
		X(e, bi());
	};
	Q(g, (e) => {
		J(a) && e(_);
	});
	var v = z(g, 2);
	kr(v, 21, () => J(r), Tr, (e, t, n) => {
		let r = /* @__PURE__ */ j(() => n + 1);
		var a = Ci();
		let o;
		var l = L(a), d = (e) => {
			var t = xi(), n = R(t, !0);
			B((e) => {
				$(t, "title", `${e ?? ""} steps; go to the next one`), $(t, "aria-label", `line ${J(r) ?? ""}: go to its next step`), Z(n, J(r));
			}, [() => J(c).get(J(r)).length]), ar("click", t, () => u(J(r))), X(e, t);
		}, f = /* @__PURE__ */ j(() => J(c).has(J(r))), p = (e) => {
			var t = Si(), n = R(t, !0);
			B(() => Z(n, J(r))), X(e, t);
		};
		Q(l, (e) => {
			J(f) ? e(d) : e(p, -1);
		});
		var m = z(l, 2);
		Fr(m, () => J(t), !0), O(m), O(a), B((e) => {
			o = Vr(a, 1, "code-line svelte-1ktrefi", null, o, {
				"is-current": J(r) === J(s)?.line && J(i) === J(s)?.file,
				"is-executed": e
			}), $(a, "data-line", J(r));
		}, [() => J(c).has(J(r))]), X(e, a);
	}), O(v), ai(v, (e) => P(o, e), () => J(o)), O(d), B(() => $(v, "aria-label", `Lines of ${J(i) ?? ""}`)), X(e, d), He();
}
or(["click"]);
// src/Sequence.svelte
var Ei = /* @__PURE__ */ Y("<span class=\"quiet\" role=\"status\"> </span> <button class=\"button\" type=\"button\" aria-label=\"Previous match\">↑</button><button class=\"button\" type=\"button\" aria-label=\"Next match\">↓</button>", 1), Di = /* @__PURE__ */ Y("<label class=\"check\"><input type=\"checkbox\"/> <span> </span></label>"), Oi = /* @__PURE__ */ Y("<details class=\"picker svelte-1v1ajg2\"><summary class=\"svelte-1v1ajg2\"> </summary> <div class=\"picker-list svelte-1v1ajg2\"></div></details>"), ki = /* @__PURE__ */ Y("<details class=\"picker svelte-1v1ajg2\"><summary class=\"svelte-1v1ajg2\"> </summary> <div class=\"picker-list svelte-1v1ajg2\"><div class=\"picker-all svelte-1v1ajg2\"><button class=\"button\" type=\"button\">all</button><button class=\"button\" type=\"button\">none</button></div> <!></div></details>"), Ai = /* @__PURE__ */ Y("<span> </span>"), ji = /* @__PURE__ */ Y("<span class=\"cycle-sign svelte-1v1ajg2\" title=\"the cycle begins\">↻</span>"), Mi = /* @__PURE__ */ Y("<code> </code>"), Ni = /* @__PURE__ */ Y("<span class=\"cell svelte-1v1ajg2\"><!></span>"), Pi = /* @__PURE__ */ Y("<b class=\"violation\"> </b>"), Fi = /* @__PURE__ */ Y("<div role=\"option\" tabindex=\"-1\"><span class=\"step-number svelte-1v1ajg2\"> <!></span> <!> <span class=\"cell effect svelte-1v1ajg2\"> <!></span></div>"), Ii = /* @__PURE__ */ Y("<p> </p>"), Li = /* @__PURE__ */ Y("<div class=\"sequence-ending svelte-1v1ajg2\"></div>"), Ri = /* @__PURE__ */ Y("<span class=\"quiet\"> </span>"), zi = /* @__PURE__ */ Y("<p class=\"observed svelte-1v1ajg2\"> <!></p>"), Bi = /* @__PURE__ */ Y("<p class=\"quiet\"> </p>"), Vi = /* @__PURE__ */ Y("<p class=\"violation\" role=\"alert\"> </p>"), Hi = /* @__PURE__ */ Y("<tr><th scope=\"row\" class=\"svelte-1v1ajg2\"><code> </code></th><td class=\"svelte-1v1ajg2\"> </td><td class=\"svelte-1v1ajg2\"><button class=\"remove svelte-1v1ajg2\" type=\"button\">×</button></td></tr>"), Ui = /* @__PURE__ */ Y("<table class=\"value-table svelte-1v1ajg2\"><tbody></tbody></table>"), Wi = /* @__PURE__ */ Y("<h4 class=\"svelte-1v1ajg2\"> </h4>"), Gi = /* @__PURE__ */ Y("<del class=\"svelte-1v1ajg2\"> </del> →", 1), Ki = /* @__PURE__ */ Y("<tr><th scope=\"row\" class=\"svelte-1v1ajg2\"><code> </code></th><td class=\"svelte-1v1ajg2\"><!> </td></tr>"), qi = /* @__PURE__ */ Y("<!> <table class=\"value-table svelte-1v1ajg2\"><tbody></tbody></table>", 1), Ji = /* @__PURE__ */ Y("<div class=\"viewer-bar svelte-1v1ajg2\"><div class=\"search svelte-1v1ajg2\"><label class=\"hidden\" for=\"sequence-search\">Search the steps</label> <input id=\"sequence-search\" type=\"search\" placeholder=\"Search ( / )\" class=\"svelte-1v1ajg2\"/> <!></div> <label class=\"check\"><input type=\"checkbox\"/> <span>only changes</span></label> <!> <!> <span class=\"viewer-position svelte-1v1ajg2\"> </span> <span class=\"quiet keys svelte-1v1ajg2\"><kbd class=\"svelte-1v1ajg2\">j</kbd> <kbd class=\"svelte-1v1ajg2\">k</kbd> step, <kbd class=\"svelte-1v1ajg2\">n</kbd> match, <kbd class=\"svelte-1v1ajg2\">c</kbd> changes</span></div> <div class=\"viewer svelte-1v1ajg2\"><div class=\"steps-panel svelte-1v1ajg2\"><div class=\"lane-heads svelte-1v1ajg2\"><span class=\"head-number svelte-1v1ajg2\">step</span> <!> <span class=\"head-effect svelte-1v1ajg2\">effect</span></div> <div class=\"steps svelte-1v1ajg2\" role=\"listbox\" aria-label=\"Steps\" tabindex=\"0\"><div class=\"steps-space svelte-1v1ajg2\"></div></div> <!></div> <aside class=\"side svelte-1v1ajg2\" aria-label=\"Current step\"><!> <section class=\"values svelte-1v1ajg2\" aria-labelledby=\"values-heading\"><h3 id=\"values-heading\"> </h3> <!> <!> <form class=\"watch svelte-1v1ajg2\"><label class=\"hidden\" for=\"watch\">Expression to watch</label><input id=\"watch\" placeholder=\"watch an expression: x + y > 2\" class=\"svelte-1v1ajg2\"/><button class=\"button\" type=\"submit\">Watch</button></form> <!> <!> <!> <!></section></aside></div>", 1);
function Yi(e, t) {
	Ve(t, !0);
	let { trace: n, lanes: r } = t.sequence, i = si(n, r), a = li(n), o = /* @__PURE__ */ N(0), s = /* @__PURE__ */ N(""), c = /* @__PURE__ */ N(!1), l = /* @__PURE__ */ N(Wt(/* @__PURE__ */ new Set())), u = /* @__PURE__ */ N(Wt(/* @__PURE__ */ new Set())), d = /* @__PURE__ */ N(Wt([])), f = /* @__PURE__ */ N(""), p = /* @__PURE__ */ N(""), m = /* @__PURE__ */ N(void 0), h = /* @__PURE__ */ N(void 0), g = /* @__PURE__ */ N(0), _ = /* @__PURE__ */ N(480), v = (e) => {
		let t = J(s).trim().toLowerCase();
		return t ? [
			e.step.by.process,
			e.step.by.statement,
			e.step.by.place?.file ?? "",
			...e.effects.map((e) => e.text)
		].some((e) => e.toLowerCase().includes(t)) : !1;
	}, y = /* @__PURE__ */ j(() => i.filter((e) => J(l).has(e.lane) && (e.partner < 0 || J(l).has(e.partner)) ? !1 : !J(c) || e.step.faults.length > 0 || e.effects.some((e) => e.kind !== "read" && !J(u).has(e.name)))), b = /* @__PURE__ */ j(() => J(s).trim() ? J(y).filter(v) : []), x = /* @__PURE__ */ j(() => new Set(J(b).map((e) => e.index))), S = /* @__PURE__ */ j(() => Math.max(0, J(y).findIndex((e) => e.index >= J(o)))), ee = /* @__PURE__ */ j(() => Math.max(0, Math.floor(J(g) / 28) - 8)), te = /* @__PURE__ */ j(() => Math.min(J(y).length, Math.ceil((J(g) + J(_)) / 28) + 8)), ne = /* @__PURE__ */ j(() => J(y).slice(J(ee), J(te))), C = /* @__PURE__ */ j(() => i[J(o)]), re = /* @__PURE__ */ j(() => ui(n, a, J(o))), ie = /* @__PURE__ */ j(() => di([...a.keys()].filter((e) => !J(u).has(e) && (!J(c) || J(re).changed.has(e))))), ae = /* @__PURE__ */ j(() => r.map((e, t) => ({
		name: e,
		index: t
	})).filter((e) => !J(l).has(e.index))), oe = n.steps.at(-1).step;
	function se(e, t = !0) {
		P(o, Math.min(Math.max(e, 0), i.length - 1), !0), history.replaceState(null, "", `#${i[J(o)].id}`), ce(), t && J(m)?.focus({ preventScroll: !0 });
	}
	async function ce() {
		if (await Jn(), !J(m)) return;
		let e = J(S) * 28;
		e < J(m).scrollTop ? J(m).scrollTop = e : e + 28 > J(m).scrollTop + J(m).clientHeight && (J(m).scrollTop = e + 28 - J(m).clientHeight);
	}
	function le(e) {
		let t = J(y)[Math.min(Math.max(J(S) + e, 0), J(y).length - 1)];
		t && se(t.index);
	}
	function ue(e) {
		J(b).length !== 0 && se(((e > 0 ? J(b).find((e) => e.index > J(o)) : J(b).findLast((e) => e.index < J(o))) ?? (e > 0 ? J(b)[0] : J(b).at(-1))).index, !1);
	}
	function de(e) {
		if (e.ctrlKey || e.metaKey || e.altKey) return;
		if (e.target.matches("input:not([type=checkbox]), textarea, select")) {
			e.key === "Enter" && e.target === J(h) && (ue(e.shiftKey ? -1 : 1), e.preventDefault()), e.key === "Escape" && J(m)?.focus();
			return;
		}
		let t = Math.max(1, Math.floor(J(_) / 28) - 1), n = {
			j: () => le(1),
			ArrowDown: () => le(1),
			k: () => le(-1),
			ArrowUp: () => le(-1),
			PageDown: () => le(t),
			PageUp: () => le(-t),
			Home: () => le(-J(y).length),
			End: () => le(J(y).length),
			n: () => ue(1),
			N: () => ue(-1),
			c: () => {
				P(c, !J(c)), ce();
			},
			"/": () => J(h)?.focus()
		}[e.key];
		!n || e.target.closest("summary, a, button") && /^(Arrow|Page|Home|End)/.test(e.key) && !J(m)?.contains(e.target) || (e.preventDefault(), n());
	}
	function fe(e, t) {
		let n = new Set(e);
		return n.delete(t) || n.add(t), n;
	}
	function pe(e) {
		e.preventDefault();
		try {
			P(d, [...J(d), {
				text: J(f).trim(),
				value: pi(J(f))
			}], !0), P(f, ""), P(p, "");
		} catch (e) {
			P(p, e.message, !0);
		}
	}
	function me() {
		let e = location.hash.slice(1) || `step-${new URLSearchParams(location.search).get("step") ?? ""}`, t = i.findIndex((t) => t.id === e);
		P(o, t >= 0 ? t : 0, !0), ce();
	}
	oi(() => (me(), scrollTo(0, 0), addEventListener("hashchange", me), () => removeEventListener("hashchange", me)));
	var w = Ji();
	ir("keydown", Gt, de);
	var he = Zt(w), ge = L(he), _e = z(L(ge), 2);
	qr(_e), ai(_e, (e) => P(h, e), () => J(h));
	var ve = z(_e, 2), ye = (e) => {
		var t = Ei(), n = Zt(t), r = R(n), i = z(n, 2), a = z(i);
		B(() => Z(r, `${J(b).length ?? ""} ${J(b).length === 1 ? "match" : "matches"}`)), ar("click", i, () => ue(-1)), ar("click", a, () => ue(1)), X(e, t);
	}, be = /* @__PURE__ */ j(() => J(s).trim());
	Q(ve, (e) => {
		J(be) && e(ye);
	}), O(ge);
	var T = z(ge, 2), xe = L(T);
	qr(xe), Ce(2), O(T);
	var E = z(T, 2), D = (e) => {
		var t = Oi(), n = L(t), i = R(n), a = z(n, 2);
		kr(a, 21, () => r, Tr, (e, t, n) => {
			var r = Di(), i = L(r);
			qr(i);
			var a = R(z(i, 2), !0);
			O(r), B((e) => {
				Jr(i, e), Z(a, J(t));
			}, [() => !J(l).has(n)]), ar("change", i, () => {
				P(l, fe(J(l), n), !0), ce();
			}), X(e, r);
		}), O(a), O(t), B(() => Z(i, `Processes${J(l).size ? `: ${J(l).size} hidden` : ""}`)), X(e, t);
	};
	Q(E, (e) => {
		r.length > 1 && e(D);
	});
	var Se = z(E, 2), we = (e) => {
		var t = ki(), n = L(t), r = R(n), i = z(n, 2), o = L(i), s = L(o), c = z(s);
		O(o), kr(z(o, 2), 17, () => [...a.keys()], Tr, (e, t) => {
			var n = Di(), r = L(n);
			qr(r);
			var i = R(z(r, 2), !0);
			O(n), B((e) => {
				Jr(r, e), Z(i, J(t));
			}, [() => !J(u).has(J(t))]), ar("change", r, () => {
				P(u, fe(J(u), J(t)), !0);
			}), X(e, n);
		}), O(i), O(t), B(() => Z(r, `Variables${J(u).size ? `: ${J(u).size} hidden` : ""}`)), ar("click", s, () => {
			P(u, /* @__PURE__ */ new Set(), !0);
		}), ar("click", c, () => {
			P(u, new Set(a.keys()), !0);
		}), X(e, t);
	};
	Q(Se, (e) => {
		a.size > 0 && e(we);
	});
	var Te = R(z(Se, 2));
	Ce(2), O(he);
	var Ee = z(he, 2), De = L(Ee), Oe = L(De);
	let ke;
	kr(z(L(Oe), 2), 17, () => J(ae), Tr, (e, t) => {
		var n = Ai(), r = R(n, !0);
		B(() => {
			Vr(n, 1, `lane-head lane-${J(t).index % 6}`, "svelte-1v1ajg2"), Z(r, J(t).name);
		}), X(e, n);
	}), Ce(2), O(Oe);
	var Ae = z(Oe, 2), je = L(Ae);
	let Me;
	kr(je, 23, () => J(ne), (e) => e.index, (e, t, n) => {
		var r = Fi();
		let i, a;
		var s = L(r), c = L(s, !0), l = z(c), d = (e) => {
			X(e, ji());
		};
		Q(l, (e) => {
			J(t).starts && e(d);
		}), O(s);
		var f = z(s, 2);
		kr(f, 17, () => J(ae), Tr, (e, n) => {
			var r = Ni(), i = L(r), a = (e) => {
				var r = Mi(), i = R(r, !0);
				B(() => {
					Vr(r, 1, `lane-${J(n).index % 6}`, "svelte-1v1ajg2"), Z(i, J(t).step.by.statement);
				}), X(e, r);
			}, o = (e) => {
				var r = Mi(), i = R(r, !0);
				B(() => {
					Vr(r, 1, `lane-${J(n).index % 6}`, "svelte-1v1ajg2"), Z(i, J(t).step.partner.statement);
				}), X(e, r);
			};
			Q(i, (e) => {
				J(n).index === J(t).lane ? e(a) : J(n).index === J(t).partner && e(o, 1);
			}), O(r), X(e, r);
		});
		var p = z(f, 2), m = L(p, !0);
		kr(z(m), 17, () => J(t).step.faults, Tr, (e, t) => {
			var n = Pi(), r = R(n, !0);
			B(() => Z(r, J(t))), X(e, n);
		}), O(p), O(r), B((e, s) => {
			i = Vr(r, 1, "step svelte-1v1ajg2", null, i, {
				"is-current": J(t).index === J(o),
				"is-match": e,
				"starts-cycle": J(t).starts,
				"has-fault": J(t).step.faults.length > 0
			}), $(r, "id", `row-${J(t).index ?? ""}`), $(r, "aria-selected", J(t).index === J(o)), $(r, "aria-setsize", J(y).length), $(r, "aria-posinset", J(ee) + J(n) + 1), a = Ur(r, "", a, {
				transform: `translateY(${(J(ee) + J(n)) * 28}px)`,
				"--lanes": J(ae).length
			}), Z(c, J(t).number), Z(m, s);
		}, [() => J(x).has(J(t).index), () => J(t).effects.filter((e) => !J(u).has(e.name)).map((e) => e.text).join("; ")]), ar("click", r, () => se(J(t).index)), ar("keydown", r, (e) => {
			e.key === "Enter" && se(J(t).index);
		}), X(e, r);
	}), O(je), O(Ae), ai(Ae, (e) => P(m, e), () => J(m));
	var Ne = z(Ae, 2), Pe = (e) => {
		var t = Li();
		kr(t, 21, () => n.ending, Tr, (e, t) => {
			var n = Ii(), r = R(n, !0);
			B(() => Z(r, J(t))), X(e, n);
		}), O(t), X(e, t);
	};
	Q(Ne, (e) => {
		n.ending.length > 0 && e(Pe);
	}), O(De);
	var Fe = z(De, 2), Ie = L(Fe);
	Ti(Ie, {
		get row() {
			return J(C);
		},
		get all() {
			return i;
		},
		onselect: (e) => se(e)
	});
	var Le = z(Ie, 2), Re = L(Le), ze = R(Re), k = z(Re, 2), Be = (e) => {
		var t = zi(), n = L(t, !0), r = z(n), i = (e) => {
			var t = Ri(), n = R(t);
			B(() => Z(n, `; claim state ${J(C).step.observed.claim ?? ""}`)), X(e, t);
		};
		Q(r, (e) => {
			J(C).step.observed.claim != null && e(i);
		}), O(t), B((e) => Z(n, e), [() => J(C).step.observed.holds.length ? J(C).step.observed.holds.join(", ") : "no proposition holds"]), X(e, t);
	};
	Q(k, (e) => {
		J(C).step.observed && e(Be);
	});
	var Ue = z(k, 2), We = (e) => {
		var t = Bi(), n = R(t);
		B((e) => Z(n, `holds ${e ?? ""}`), [() => J(C).step.held.join(", ")]), X(e, t);
	};
	Q(Ue, (e) => {
		J(C).step.held?.length && e(We);
	});
	var Ge = z(Ue, 2), Ke = z(L(Ge));
	qr(Ke), Ce(), O(Ge);
	var qe = z(Ge, 2), Je = (e) => {
		var t = Vi(), n = R(t, !0);
		B(() => Z(n, J(p))), X(e, t);
	};
	Q(qe, (e) => {
		J(p) && e(Je);
	});
	var Ye = z(qe, 2), A = (e) => {
		var t = Ui(), n = L(t);
		kr(n, 21, () => J(d), Tr, (e, t, n) => {
			var r = Hi(), i = L(r), a = R(L(i), !0);
			O(i);
			var o = z(i), s = R(o, !0), c = R(z(o));
			O(r), B((e) => {
				Z(a, J(t).text), Z(s, e), $(c, "aria-label", `remove ${J(t).text ?? ""}`);
			}, [() => J(t).value(J(re).values) ?? "no value"]), ar("click", c, () => {
				P(d, J(d).toSpliced(n, 1), !0);
			}), X(e, r);
		}), O(n), O(t), X(e, t);
	};
	Q(Ye, (e) => {
		J(d).length > 0 && e(A);
	});
	var Xe = z(Ye, 2), Ze = (e) => {
		var t = Bi(), n = R(t, !0);
		B(() => Z(n, J(c) ? "This step changes nothing that is shown." : "The execution changes no variable.")), X(e, t);
	};
	Q(Xe, (e) => {
		J(ie).length === 0 && e(Ze);
	}), kr(z(Xe, 2), 17, () => J(ie), Tr, (e, t) => {
		var n = qi(), r = Zt(n), i = (e) => {
			var n = Wi(), r = R(n, !0);
			B(() => Z(r, J(t).owner)), X(e, n);
		};
		Q(r, (e) => {
			J(t).owner && e(i);
		});
		var a = z(r, 2), o = L(a);
		kr(o, 21, () => J(t).roots, Tr, (e, t) => {
			var n = hr();
			kr(Zt(n), 17, () => J(t).items, Tr, (e, n, r) => {
				var i = Ki();
				let a;
				var o = L(i), s = L(o);
				let c;
				var l = R(s, !0);
				O(o);
				var u = z(o), d = L(u), f = (e) => {
					var t = Gi(), r = R(Zt(t), !0);
					Ce(), B((e) => Z(r, e), [() => J(re).changed.get(J(n).name)]), X(e, t);
				}, p = /* @__PURE__ */ j(() => J(re).changed.has(J(n).name) && J(re).changed.get(J(n).name) != null);
				Q(d, (e) => {
					J(p) && e(f);
				});
				var m = z(d, 1, !0);
				O(u), O(i), B((e, o) => {
					a = Vr(i, 1, "svelte-1v1ajg2", null, a, { "is-changed-value": e }), c = Vr(s, 1, "svelte-1v1ajg2", null, c, { "is-part": r > 0 && J(t).items.length > 1 }), Z(l, J(n).part), Z(m, o);
				}, [() => J(re).changed.has(J(n).name), () => J(re).values.get(J(n).name) ?? "none"]), X(e, i);
			}), X(e, n);
		}), O(o), O(a), X(e, n);
	}), O(Le), O(Fe), O(Ee), B(() => {
		Z(Te, `step ${J(C).number ?? ""} of ${oe ?? ""}${J(y).length < i.length ? `, ${J(y).length} of ${i.length} rows shown` : ""}`), ke = Ur(Oe, "", ke, { "--lanes": J(ae).length }), $(Ae, "aria-activedescendant", J(C) ? `row-${J(C).index}` : void 0), Me = Ur(je, "", Me, { height: `${J(y).length * 28}px` }), Z(ze, `Values after step ${J(C).number ?? ""}`);
	}), Qr(_e, () => J(s), (e) => P(s, e)), ar("change", xe, ce), $r(xe, () => J(c), (e) => P(c, e)), ir("scroll", Ae, () => {
		P(g, J(m).scrollTop, !0);
	}), ri(Ae, "clientHeight", (e) => P(_, e)), ir("submit", Ge, pe), Qr(Ke, () => J(f), (e) => P(f, e)), X(e, w), He();
}
or([
	"click",
	"change",
	"keydown"
]);
// src/sequence.js
var Xi = document.querySelector("[data-sequence]");
if (Xi) {
	let e = await fetch(Xi.dataset.sequence);
	if (e.ok) {
		let t = await e.json();
		t.trace.steps.length > 0 && (Xi.replaceChildren(), br(Yi, {
			target: Xi,
			props: { sequence: t }
		}));
	}
}
