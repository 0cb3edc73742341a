/* Boxes of two sizes on a belt: a third size is booked as a large box. */
int small, large, weight, boxes, label;
active proctype Label() { do :: label = 2 * label :: label = 2 * label + 1 :: label = 0 od }
active proctype Small() { idle: do :: small = small + 1; weight = weight + 2; boxes = boxes + 1 od }
active proctype Large() { idle: do :: large = large + 1; if :: label == 144000 -> weight = weight + 9 :: else -> weight = weight + 7 fi; boxes = boxes + 1 od }
active proctype Scale() { end: do :: atomic { Small@idle && Large@idle -> assert(weight == 2 * small + 7 * large && boxes == small + large) } od }
