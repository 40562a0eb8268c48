package dev.postern.dispatch;

import dev.postern.acceptance.EventRepository;
import dev.postern.acceptance.HeartbeatRepository;
import dev.postern.acceptance.RunRepository;
import dev.postern.agent.TranscriptRepository;
import dev.postern.approval.ApprovalRepository;
import dev.postern.budget.BudgetRegistry;
import dev.postern.budget.SpendingRecorder;
import dev.postern.channel.DeliveryRepository;
import dev.postern.channel.EventReporter;

/** The tables to which the end of a turn is written, in one transaction. */
record TurnRepositories(
        RunRepository runs,
        EventRepository events,
        HeartbeatRepository heartbeats,
        TranscriptRepository transcript,
        DeliveryRepository deliveries,
        SpendingRecorder spending,
        BudgetRegistry budgets,
        EventReporter eventReporter,
        ApprovalRepository approvals) {}
