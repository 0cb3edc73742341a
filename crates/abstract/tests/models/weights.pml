/* Boxes of two sizes on a belt: their number and weight, each in a step of its own. */
int small, large, weight, boxes;
active proctype Small() { idle: do :: small = small + 1; weight = weight + 2; boxes = boxes + 1 od }
active proctype Large() { idle: do :: large = large + 1; weight = weight + 7; boxes = boxes + 1 od }
active proctype Scale() { end: do :: atomic { Small@idle && Large@idle -> assert(weight == 2 * small + 7 * large && boxes == small + large) } od }
