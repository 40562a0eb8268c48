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
import dev.postern.model.HomeSetting;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The table of rooms: which package may import which. Change it when the flow itself has changed. */
@AnalyzeClasses(packages = "dev.postern", importOptions = ImportOption.DoNotIncludeTests.class)
class RoomsTest {

    /** Whatever the table says, these are open to all. */
    private static final List<String> OPEN = List.of("model", "config", "observe", "net");

    private static final Map<String, List<String>> TABLE = Map.ofEntries(
            Map.entry("model", List.of()),
            Map.entry("config", List.of()),
            Map.entry("observe", List.of()),
            Map.entry("net", List.of()),
            Map.entry("store", List.of()),
            Map.entry("access", List.of()),
            Map.entry("mapping", List.of()),
            Map.entry("policy", List.of()),
            Map.entry("acceptance", List.of("store")),
            Map.entry("ingress", List.of("mapping", "policy", "acceptance")),
            Map.entry("agent", List.of("store")),
            Map.entry("heartbeat", List.of("acceptance", "agent")),
            Map.entry("channel", List.of("store")),
            Map.entry("dispatch", List.of("acceptance", "agent", "heartbeat", "channel", "store")),
            Map.entry("http", List.of("access", "ingress")),
            Map.entry("mail", List.of("acceptance", "ingress")),
            Map.entry("console", List.of("access", "acceptance", "agent", "channel", "ingress", "dispatch", "store")));

    @ArchTest
    static final ArchRule roomsHaveNoCycles =
            slices().matching("dev.postern.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theModelKnowsTheJdkAlone = classes()
            .that()
            .resideInAPackage("dev.postern.model..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "dev.postern.model..", "org.jspecify..");

    @ArchTest
    static final ArchRule theLauncherStandsAlone = classes()
            .that()
            .resideInAPackage("dev.postern.app.launch..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "java..", "org.apache..", "jakarta..", "dev.postern.app.launch..", "org.jspecify..")
                    .or(equivalentTo(HomeSetting.class)));

    @ArchTest
    static final ArchRule nothingHidesInADrawer =
            noClasses().should().resideInAnyPackage("..util..", "..common..", "..impl..", "..helper..", "..manager..");

    @TestFactory
    List<DynamicTest> eachRoomImportsWhatTheTableSays() {
        var all = new com.tngtech.archunit.core.importer.ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.postern");
        return TABLE.keySet().stream()
                .sorted()
                .map(room -> DynamicTest.dynamicTest(room, () -> noClasses()
                        .that()
                        .resideInAPackage(packageOf(room))
                        .should()
                        .dependOnClassesThat(isForbiddenTo(room))
                        .allowEmptyShould(true)
                        .check(all)))
                .toList();
    }

    private static DescribedPredicate<JavaClass> isForbiddenTo(String room) {
        String[] open = OPEN.stream().map(RoomsTest::packageOf).toArray(String[]::new);
        String[] allowed = TABLE.get(room).stream().map(RoomsTest::packageOf).toArray(String[]::new);
        String[] own = {packageOf(room), "dev.postern"};
        String[] permitted = Arrays.stream(new String[][] {open, allowed, own})
                .flatMap(Arrays::stream)
                .toArray(String[]::new);
        return resideInAPackage("dev.postern..")
                .and(DescribedPredicate.not(resideInAnyPackage(permitted)))
                .as("a room that " + room + " may not import");
    }

    private static String packageOf(String room) {
        return "dev.postern." + room + "..";
    }
}
