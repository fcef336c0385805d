package shop;

public class Door {
    private boolean open;

    public boolean turn() {
        open = !open;
        return open;
    }
}
