package dev.postern.dispatch;

import dev.postern.acceptance.Events;
import dev.postern.acceptance.Runs;
import dev.postern.agent.Transcript;
import dev.postern.channel.Deliveries;

/** The tables that the end of a turn is written to, together. */
record Tables(Runs runs, Events events, Transcript transcript, Deliveries deliveries) {}
