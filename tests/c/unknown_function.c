int sensor_read(int channel);
int main(void)
{
    int v = sensor_read(3);
    return v > 0 ? 0 : 1;
}
