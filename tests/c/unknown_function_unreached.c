int sensor_read(int channel);
int main(void)
{
    int v = 0;
    if (v) v = sensor_read(3);
    return v;
}
