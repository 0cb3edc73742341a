/* The room does not stop to heat. */
int temperature = 2000; bit on;
active proctype Room() {
  do
  :: on -> temperature = temperature + 10
  :: !on && temperature > 1700 -> temperature = temperature - 10
  od
}
active proctype Control() { do :: temperature < 1800 -> on = 1 :: temperature > 2200 -> on = 0 od }
active proctype Monitor() { end: do :: assert(temperature <= 2310) od }
