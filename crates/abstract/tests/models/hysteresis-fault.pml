/* A worn contact does not switch off: it has switched often, and the door was opened often. */
int temperature = 2000, switched, opened; bit on;
active proctype Room() {
  do
  :: on && (temperature < 2300 || (switched > 9000 && opened > 20000)) -> temperature = temperature + 300
  :: !on && temperature > 1700 -> temperature = temperature - 300
  od
}
active proctype Door() { do :: opened = opened + 1 od }
active proctype Control() { do :: atomic { !on && temperature < 1800 -> on = 1; switched = switched + 1 } :: atomic { on && temperature > 2200 -> on = 0 } od }
active proctype Monitor() { end: do :: assert(temperature >= 1400 && temperature <= 2600) od }
