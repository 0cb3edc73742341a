/* Bytes in flight of a transport protocol stay within the larger of the windows that were granted (RFC 793). */
int una, nxt, wnd = 1000;
active proctype Send() { end: do :: atomic { nxt - una < wnd -> nxt = nxt + 1 } od }
active proctype Ack() { end: do :: atomic { una != nxt -> una = una + 1 } od }
active proctype Window() { end: do :: atomic { wnd < 4000 -> wnd = wnd + 1 } :: atomic { nxt - una < wnd && wnd > 1 -> wnd = wnd - 1 } od }
active proctype Monitor() { end: do :: assert(nxt - una <= wnd && wnd <= 4000) od }
