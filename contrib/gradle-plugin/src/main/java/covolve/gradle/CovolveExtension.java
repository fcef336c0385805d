package covolve.gradle;

import java.util.LinkedHashMap;
import java.util.Map;

/** What {@code covolve { ... }} in a build says. */
public class CovolveExtension {
    private String executable = "covolve";
    private Map<String, Object> options = new LinkedHashMap<>();
    private Map<String, Object> report = new LinkedHashMap<>();

    /** The program, where it is not on the path. */
    public String getExecutable() {
        return executable;
    }

    public void setExecutable(String executable) {
        this.executable = executable;
    }

    /** Options under their names in {@code covolve.toml}. */
    public Map<String, Object> getOptions() {
        return options;
    }

    public void setOptions(Map<String, Object> options) {
        this.options = options;
    }

    /** Options of the report, under their names on the command line: {@code format} and {@code out}. */
    public Map<String, Object> getReport() {
        return report;
    }

    public void setReport(Map<String, Object> report) {
        this.report = report;
    }
}
