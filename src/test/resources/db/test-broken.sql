CREATE TABLE half (id text);
CREATE TABLE half (id text);
