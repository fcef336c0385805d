package covolve.runtime;

import java.security.Provider;
import java.security.SecureRandomSpi;

/** The default {@code SecureRandom}: the same bytes for every run, whatever ran before. */
public final class FixedRandom extends SecureRandomSpi {
    private static final long serialVersionUID = 1L;

    /** State of the generator (SplitMix64: Steele, Lea and Flood 2014); the executor sets it back for each run. */
    public static long state;

    /** Comes first in the list of providers. */
    public static final class Source extends Provider {
        private static final long serialVersionUID = 1L;

        /** Called by the JDK, by name. */
        public Source() {
            super("Covolve", 1.0, "repeatable random numbers");
            put("SecureRandom.Fixed", FixedRandom.class.getName());
        }
    }

    @Override
    protected void engineSetSeed(byte[] seed) {
        // Seeds supplement those of a secure generator, so no code can rely on what they do.
    }

    @Override
    protected void engineNextBytes(byte[] bytes) {
        World.touch(World.CLOCK);
        long word = 0;
        for (int i = 0; i < bytes.length; i++) {
            word = (i & 7) == 0 ? next() : word >>> 8;
            bytes[i] = (byte) word;
        }
    }

    @Override
    protected byte[] engineGenerateSeed(int length) {
        byte[] seed = new byte[length];
        engineNextBytes(seed);
        return seed;
    }

    private static synchronized long next() {
        state += 0x9e3779b97f4a7c15L;
        long mixed = state;
        mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }
}
