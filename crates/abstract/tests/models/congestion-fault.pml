/* A connection that has sent much shrinks its window although the bytes in flight fill it. */
int una, nxt, wnd = 1000;
active proctype Send() { end: do :: atomic { nxt - una < wnd -> nxt = nxt + 1 } od }
active proctype Ack() { end: do :: atomic { una != nxt -> una = una + 1 } od }
active proctype Window() { end: do :: atomic { wnd < 30000 -> wnd = wnd + 1 } :: atomic { una > 15000 && nxt - una == 20000 -> wnd = 1000 } od }
active proctype Monitor() { end: do :: assert(nxt - una <= wnd && wnd <= 30000) od }
