/* A heater is on below 1800 and off above 2200; the temperature stays in its bounds. */
int temperature = 2000; bit on;
active proctype Room() {
  do
  :: on && temperature < 2300 -> temperature = temperature + 10
  :: !on && temperature > 1700 -> temperature = temperature - 10
  od
}
active proctype Control() { do :: temperature < 1800 -> on = 1 :: temperature > 2200 -> on = 0 od }
active proctype Monitor() { end: do :: assert(temperature >= 1690 && temperature <= 2310) od }
