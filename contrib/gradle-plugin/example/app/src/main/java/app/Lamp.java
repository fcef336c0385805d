package app;

public class Lamp {
    private boolean lit;

    public boolean press() {
        lit = !lit;
        return lit;
    }
}
