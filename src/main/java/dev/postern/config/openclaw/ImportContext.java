package dev.postern.config.openclaw;

import java.nio.file.Path;

/**
 * What the translators of one import share.
 *
 * @param directory the directory of the file that is imported, which is OpenClaw's configuration directory
 * @param userHome the directory that {@code ~} stands for
 */
record ImportContext(
        ImportNotes notes, EnvironmentText environment, SecretTranslator secrets, Path directory, String userHome) {}
