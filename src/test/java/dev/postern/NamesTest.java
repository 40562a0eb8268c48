package dev.postern;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules for names of types. The glossary is in {@code CONTRIBUTING.md}. */
class NamesTest {

    private static final Pattern GERUND_OR_PARTICIPLE = Pattern.compile("[A-Z][a-z0-9]*(ing|ed|en)");

    /** Words of which the glossary has another one, at the end of a word of a name. */
    private static final Pattern PRIVATE_WORD = Pattern.compile("(?<!Heart)Beat|Figure|Book(?![a-z])|Lane(?![a-z])");

    /** A type of so few lines stands in the file of its only user. */
    private static final int SMALL_LINES = 30;

    private static final List<JavaClass> TYPES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.postern").stream()
                    .filter(type -> !type.getSimpleName().equals("package-info"))
                    .toList();

    @Test
    void noTypeIsABareGerundOrParticiple() {
        assertThat(topLevel().map(JavaClass::getSimpleName))
                .filteredOn(name -> GERUND_OR_PARTICIPLE.matcher(name).matches())
                .isEmpty();
    }

    @Test
    void noSimpleNameIsInTwoPackages() {
        Map<String, List<String>> byName = topLevel()
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getPackageName, Collectors.toList())));
        assertThat(byName).allSatisfy((name, packages) -> assertThat(packages).hasSize(1));
    }

    @Test
    void everyNameHasTheGlossarysWords() {
        assertThat(TYPES.stream().map(JavaClass::getSimpleName))
                .filteredOn(name -> PRIVATE_WORD.matcher(name).find())
                .isEmpty();
    }

    @Test
    void noSmallTypeHasAFileOfItsOwnForOneUser() {
        assertThat(topLevel()
                        .filter(type ->
                                lines(type) <= SMALL_LINES && users(type).size() == 1))
                .isEmpty();
    }

    private static Stream<JavaClass> topLevel() {
        return TYPES.stream().filter(JavaClass::isTopLevelClass);
    }

    private static Set<JavaClass> users(JavaClass type) {
        return TYPES.stream()
                .flatMap(user -> user.getDirectDependenciesFromSelf().stream())
                .filter(dependency -> outermost(dependency.getTargetClass()).equals(type))
                .map(Dependency::getOriginClass)
                .map(NamesTest::outermost)
                .filter(user -> !user.equals(type))
                .collect(Collectors.toSet());
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(NamesTest::outermost).orElse(type);
    }

    private static long lines(JavaClass type) {
        Path source = Path.of("src/main/java", type.getName().replace('.', '/') + ".java");
        try (Stream<String> lines = Files.lines(source)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException("the source of " + type.getName() + " can be read", e);
        }
    }
}
