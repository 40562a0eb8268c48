package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseUrlTest {

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
