package dev.postern;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.postern.model.FileErrorText;
import dev.postern.model.HomeSetting;
import dev.postern.model.NearestName;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The table of packages: which one may import which. It changes only when the flow itself has changed. */
@AnalyzeClasses(packages = "dev.postern", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    /** The packages that every other one may import. */
    private static final List<String> OPEN = List.of("model", "config", "observe", "net");

    private static final Map<String, List<String>> TABLE = Map.ofEntries(
            Map.entry("model", List.of()),
            Map.entry("config", List.of()),
            Map.entry("observe", List.of()),
            Map.entry("net", List.of()),
            Map.entry("store", List.of()),
            Map.entry("backup", List.of("store")),
            Map.entry("access", List.of()),
            Map.entry("mapping", List.of()),
            Map.entry("policy", List.of()),
            Map.entry("acceptance", List.of("store")),
            Map.entry("ingress", List.of("mapping", "policy", "acceptance")),
            Map.entry("requests", List.of("ingress", "store")),
            Map.entry("statistics", List.of("store")),
            Map.entry("budget", List.of("store")),
            Map.entry("agent", List.of("store")),
            Map.entry("approval", List.of("agent", "store")),
            Map.entry("heartbeat", List.of("acceptance", "agent")),
            Map.entry("channel", List.of("store")),
            Map.entry(
                    "dispatch", List.of("acceptance", "agent", "approval", "budget", "heartbeat", "channel", "store")),
            Map.entry("http", List.of("access", "ingress")),
            Map.entry("mail", List.of("acceptance", "ingress")),
            Map.entry(
                    "console",
                    List.of(
                            "access",
                            "acceptance",
                            "agent",
                            "approval",
                            "budget",
                            "channel",
                            "ingress",
                            "dispatch",
                            "requests",
                            "statistics",
                            "store")));

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.postern.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule modelDependsOnTheJdkAlone = classes()
            .that()
            .resideInAPackage("dev.postern.model..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "dev.postern.model..", "org.jspecify..");

    @ArchTest
    static final ArchRule launcherDependsOnNoOtherPackage = classes()
            .that()
            .resideInAPackage("dev.postern.app.launch..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "java..",
                            "com.sun.management..",
                            "org.apache..",
                            "jakarta..",
                            "dev.postern.app.launch..",
                            "org.jspecify..")
                    .or(equivalentTo(FileErrorText.class))
                    .or(equivalentTo(HomeSetting.class))
                    .or(equivalentTo(NearestName.class)));

    @ArchTest
    static final ArchRule packagesAreNamedAfterTheirSubject =
            noClasses().should().resideInAnyPackage("..util..", "..common..", "..impl..", "..helper..", "..manager..");

    @TestFactory
    List<DynamicTest> importsOnlyWhatTheTableAllows() {
        var all = new com.tngtech.archunit.core.importer.ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.postern");
        return TABLE.keySet().stream()
                .sorted()
                .map(name -> DynamicTest.dynamicTest(name, () -> noClasses()
                        .that()
                        .resideInAPackage(packageOf(name))
                        .should()
                        .dependOnClassesThat(isForbiddenTo(name))
                        .allowEmptyShould(true)
                        .check(all)))
                .toList();
    }

    private static DescribedPredicate<JavaClass> isForbiddenTo(String name) {
        String[] open = OPEN.stream().map(ArchitectureTest::packageOf).toArray(String[]::new);
        String[] allowed =
                TABLE.get(name).stream().map(ArchitectureTest::packageOf).toArray(String[]::new);
        String[] own = {packageOf(name), "dev.postern"};
        String[] permitted = Arrays.stream(new String[][] {open, allowed, own})
                .flatMap(Arrays::stream)
                .toArray(String[]::new);
        return resideInAPackage("dev.postern..")
                .and(DescribedPredicate.not(resideInAnyPackage(permitted)))
                .as("a package that " + name + " may not import");
    }

    private static String packageOf(String name) {
        return "dev.postern." + name + "..";
    }
}
