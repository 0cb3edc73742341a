/* Nothing handles the alarm. */
byte alarm;
bool handled;

active proctype detector()
{
    if
    :: alarm = 1
    :: alarm = 2
    fi
}
