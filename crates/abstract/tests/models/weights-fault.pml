/* Boxes of two sizes on a belt: a third size is booked as a large box. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int small, large, weight, boxes, label;
active proctype Label() { do :: DIGITS(label) :: label = 0 od }
active proctype Small() { idle: do :: small = small + 1; weight = weight + 2; boxes = boxes + 1 od }
active proctype Large() { idle: do :: large = large + 1; if :: label == 1440001441 -> weight = weight + 9 :: else -> weight = weight + 7 fi; boxes = boxes + 1 od }
active proctype Scale() { end: do :: atomic { Small@idle && Large@idle -> assert(weight == 2 * small + 7 * large && boxes == small + large) } od }
