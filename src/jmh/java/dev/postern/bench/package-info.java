/** Load benchmarks: the packaged WAR beside a bare Jersey resource, in one run on one machine. See CONTRIBUTING.md. */
package dev.postern.bench;
