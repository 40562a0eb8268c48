package dev.postern.console;

/** What answers are made with. */
record Kit(Pages pages, Assets assets, Answers answers) {

    Kit() {
        this(new Pages(), new Assets(), new Answers());
    }
}
