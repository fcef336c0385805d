package covolve.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What tests do in the folder that each has to itself, as the statements of the test file do it. */
public final class Folder {
    /** Where it is; set once by the executor. */
    public static String path = "";

    private Folder() {}

    /** The folder. */
    public static File folder() {
        return new File(path);
    }

    /** As {@link #folder}. */
    public static Path folderPath() {
        return folder().toPath();
    }

    /** As {@link #folder}. */
    public static String folderName() {
        return folderPath().toString();
    }

    /** A file in it that nobody made. */
    public static File file(String name) {
        return new File(path, name);
    }

    /** As {@link #file}. */
    public static Path filePath(String name) {
        return folderPath().resolve(name);
    }

    /** As {@link #file}. */
    public static String fileName(String name) {
        return filePath(name).toString();
    }

    /** A file in it with this text. */
    public static File written(String name, String text) throws IOException {
        return writtenPath(name, text).toFile();
    }

    /** As {@link #written}. */
    public static Path writtenPath(String name, String text) throws IOException {
        Path file = filePath(name);
        write(file, text);
        return file;
    }

    /** As {@link #written}. */
    public static String writtenName(String name, String text) throws IOException {
        return writtenPath(name, text).toString();
    }

    /** A folder in it. */
    public static File made(String name) throws IOException {
        return madePath(name).toFile();
    }

    /** As {@link #made}. */
    public static Path madePath(String name) throws IOException {
        Path made = Files.createDirectory(filePath(name));
        SeenFiles.note(made);
        return made;
    }

    /** As {@link #made}. */
    public static String madeName(String name) throws IOException {
        return madePath(name).toString();
    }

    /** Writes a text to a file. */
    public static void write(File file, String text) throws IOException {
        write(file.toPath(), text);
    }

    /** Writes a text to a file. */
    public static void write(Path file, String text) throws IOException {
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
        SeenFiles.note(file);
    }

    /** Writes a text to a file in a folder. */
    public static void write(File folder, String name, String text) throws IOException {
        write(folder.toPath(), name, text);
    }

    /** Writes a text to a file in a folder. */
    public static void write(Path folder, String name, String text) throws IOException {
        write(folder.resolve(name), text);
    }
}
