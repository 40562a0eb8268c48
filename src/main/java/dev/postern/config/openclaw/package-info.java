/**
 * The import of OpenClaw's configuration.
 *
 * <p>In: an {@code openclaw.json} and the files that it includes. Out: the settings of a Postern home with secrets and scripts
 * in files of their own, and a note for each setting that differs or is not taken. Called by: app. Imports: config and net.
 *
 * <p>Facts about OpenClaw's settings are those of its documentation and schema, version 2026.9.6, and of earlier versions
 * where these have other names for the same setting.
 */
@NullMarked
package dev.postern.config.openclaw;

import org.jspecify.annotations.NullMarked;
