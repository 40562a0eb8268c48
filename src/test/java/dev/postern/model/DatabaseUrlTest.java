package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://ada:hunter2@db.example/postern",
                "jdbc:postgresql://hunter2@a,b:5433/postern?sslmode=require",
                "jdbc:postgresql:ada:hunter2@db.example/postern",
                "jdbc:postgresql:hunter2@postern",
                "jdbc:postgresql://ada:1?hunter2@db.example/postern",
                "jdbc:postgresql://ada:1/hunter2@db.example/postern"
            })
    void rejectsLogin(String url) {
        assertThat(DatabaseUrl.of(url))
                .isEqualTo(
                        new DatabaseUrl.Unsupported(
                                "holds a login",
                                "write jdbc:postgresql://host/database, and the login as database.username and database.password"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://ada:hun?ter2@db.example/postern",
                "jdbc:postgresql://db.example:hunter2/postern",
                "jdbc:postgresql://a,,b/postern",
                "jdbc:postgresql://[::1/postern"
            })
    void rejectsServerThatThereCannotBe(String url) {
        assertThat(DatabaseUrl.of(url))
                .isInstanceOfSatisfying(DatabaseUrl.Unsupported.class, unsupported -> assertThat(unsupported.wrong())
                        .isEqualTo("names a server that there can't be"));
    }

    @Test
    void rejectsParameterThatCannotBeDecoded() {
        assertThat(DatabaseUrl.of("jdbc:postgresql://db/postern?password=100%"))
                .isEqualTo(new DatabaseUrl.Unsupported(
                        "has a parameter with a % that encodes no character", "write %25 for a percent sign"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql:postern",
                "jdbc:postgresql:/",
                "jdbc:postgresql://localhost/postern",
                "jdbc:postgresql:///postern",
                "jdbc:postgresql://localhost",
                "jdbc:postgresql://a,b:5433,10.0.0.7:6432/postern?targetServerType=primary",
                "jdbc:postgresql://[::1]:5432/postern?user=ada@tenant",
                "jdbc:postgresql://[fe80::1%eth0]/postern"
            })
    void takesServers(String url) {
        assertThat(DatabaseUrl.of(url)).isEqualTo(new DatabaseUrl.Postgres(url));
    }

    @Test
    void givesItsParametersDecoded() {
        DatabaseUrl.Postgres url =
                new DatabaseUrl.Postgres("jdbc:postgresql://db/p?user=a%40b&&password=hunter%202=&ssl&user=c");

        assertThat(url.parameters())
                .containsExactly(entry("user", "c"), entry("password", "hunter 2="), entry("ssl", ""));
        assertThat(url.address()).isEqualTo("jdbc:postgresql://db/p");
        assertThat(url).hasToString("Postgres[PostgreSQL at db/p]");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db.example:5432/postern, PostgreSQL at db.example:5432/postern",
        "'jdbc:postgresql://a,b:5433/postern?user=ada&password=hunter2', 'PostgreSQL at a,b:5433/postern'",
        "jdbc:postgresql://ada:hunter2@db.example/postern, PostgreSQL at db.example/postern",
        "jdbc:postgresql:postern?password=hunter2, PostgreSQL [postern]"
    })
    void isCalledByItsServerAndNameAlone(String url, String location) {
        assertThat(new DatabaseUrl.Postgres(url).location()).isEqualTo(location);
    }
}
