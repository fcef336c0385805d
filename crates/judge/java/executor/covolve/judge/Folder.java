package covolve.judge;

import java.io.File;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder that a test has to itself, as Jupiter's {@code @TempDir} gives it. */
final class Folder {
    private Folder() {}

    /** Gives a test its folder, if it has a field for one; null if it has none. */
    static File give(Object test) throws Exception {
        for (Field field : test.getClass().getDeclaredFields()) {
            if (field.getType() == Path.class) {
                Path folder = Files.createTempDirectory("covolve-folder");
                field.setAccessible(true);
                field.set(test, folder);
                return folder.toFile();
            }
        }
        return null;
    }

    /** Removes a file, or a folder with all that is in it; nothing where it is null. */
    static void remove(File file) {
        if (file == null) {
            return;
        }
        File[] within = file.listFiles();
        if (within != null) {
            for (File one : within) {
                remove(one);
            }
        }
        file.delete();
    }
}
