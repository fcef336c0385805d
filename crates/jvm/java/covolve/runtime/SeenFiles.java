package covolve.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** What is in the folder of a test, and what of that the test itself made, while somebody looks. */
public final class SeenFiles {
    /** Longest file whose text is told, in bytes. */
    private static final int LONGEST = 400;

    /** Most files that are listed. */
    private static final int MOST = 12;
    /** How deep folders in folders are listed. */
    private static final int DEEPEST = 3;

    /** What {@link #list} says of a file: that the test itself made it so, or not. */
    private static final char PREPARED = '=', NEW = '+';
    /** And what there is: nothing, a folder that is empty, or a file, with its text or the number of its bytes behind this. */
    private static final char ABSENT = '-', FOLDER = '/', TEXT = 't', BYTES = 'b';

    /** What the test made, by name, as {@link #list} says what there is; null while nobody looks. */
    private static Map<String, String> prepared;

    private SeenFiles() {}

    /** A run begins of which somebody will look at the files, or at none. */
    public static void watch(boolean looks) {
        prepared = looks ? new HashMap<>() : null;
    }

    /** The test has made this file or folder. */
    static void note(Path path) throws IOException {
        Path folder = Folder.folderPath();
        if (prepared != null && path.startsWith(folder)) {
            prepared.put(name(folder, path), state(path.toFile()));
        }
    }

    /**
     * The files, and those that the test made and that are gone: for each its name, and behind that what is said of it. A folder
     * that is gone itself is told alone, with no name. Null where these are too many, or where a name is no printable ASCII.
     */
    public static String[] list() throws IOException {
        if (prepared == null) {
            return null;
        }
        Map<String, String> found = new TreeMap<>();
        if (!add(Folder.folder(), 0, found)) {
            return null;
        }
        if (!Folder.folder().exists()) {
            found.put("", String.valueOf(ABSENT));
        } else {
            for (String name : prepared.keySet()) {
                if (!new File(Folder.folder(), name).exists()) {
                    found.put(name, String.valueOf(ABSENT));
                }
            }
        }
        String[] told = new String[2 * found.size()];
        int next = 0;
        for (Map.Entry<String, String> file : found.entrySet()) {
            boolean isPrepared = file.getValue().equals(prepared.get(file.getKey()));
            told[next++] = file.getKey();
            told[next++] = (isPrepared ? PREPARED : NEW) + file.getValue();
        }
        return told;
    }

    /** Adds what is in a folder; false where that is not all. */
    private static boolean add(File folder, int depth, Map<String, String> found) throws IOException {
        File[] files = folder.listFiles();
        if (files == null) {
            // The test may have removed it.
            return !folder.exists();
        }
        Arrays.sort(files);
        for (File file : files) {
            String name = name(Folder.folderPath(), file.toPath());
            String[] within = file.isDirectory() ? file.list() : null;
            if (within != null && within.length > 0) {
                if (depth == DEEPEST || !add(file, depth + 1, found)) {
                    return false;
                }
                continue;
            }
            if (found.size() == MOST || !isPlain(name)) {
                return false;
            }
            found.put(name, state(file));
        }
        return true;
    }

    private static String name(Path folder, Path path) {
        return folder.relativize(path.normalize()).toString().replace(File.separatorChar, '/');
    }

    private static boolean isPlain(String name) {
        return name.chars().allMatch(one -> ' ' <= one && one <= '~');
    }

    private static String state(File file) throws IOException {
        if (file.isDirectory()) {
            return String.valueOf(FOLDER);
        }
        long size = file.length();
        String text = size > LONGEST ? null : Printed.plain(Files.readAllBytes(file.toPath()), (int) size);
        return text == null ? BYTES + Long.toString(size) : TEXT + text;
    }
}
