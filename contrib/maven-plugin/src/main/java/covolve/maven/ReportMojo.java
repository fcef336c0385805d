package covolve.maven;

import java.util.ArrayList;
import java.util.List;

import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Writes what the tests cover: {@code covolve report}, whose options are of its own and not in {@code covolve.toml}. */
@Mojo(name = "report")
public final class ReportMojo extends CovolveMojo {
    /** Formats, with commas between them. */
    @Parameter(property = "covolve.report.format")
    private String format;

    /** File to write; with several formats a folder. */
    @Parameter(property = "covolve.report.out")
    private String out;

    @Override
    String command() {
        return "report";
    }

    @Override
    List<String> words() {
        List<String> words = new ArrayList<>();
        if (format != null) {
            words.add("--format=" + format);
        }
        if (out != null) {
            words.add("--out=" + out);
        }
        return words;
    }
}
